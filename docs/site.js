/* Search of the site without a server: search.html?q=words lists the parts of pages that have all of the words. */
(function () {
    var results = document.getElementById("mkdocs-search-results");
    if (!results) return;
    var query = new URLSearchParams(location.search).get("q") || "";
    var words = query.toLowerCase().split(/\s+/).filter(Boolean);
    document.getElementById("mkdocs-search-query").value = query;

    function count(text, word) { return text.split(word).length - 1; }
    function score(page) {
        var title = page.title.toLowerCase(), text = page.text.toLowerCase(), sum = 0;
        for (var i = 0; i < words.length; i++) {
            var hits = 20 * count(title, words[i]) + Math.min(count(text, words[i]), 10);
            if (!hits) return 0;
            sum += hits;
        }
        sum += 30 * count(title + " " + text, words.join(" "));
        return sum;
    }
    function show(page) {
        var article = document.createElement("article"), heading = document.createElement("h3");
        var link = document.createElement("a"), text = document.createElement("p");
        var lower = page.text.toLowerCase(), phrase = lower.indexOf(words.join(" "));
        var at = Math.max((phrase < 0 ? lower.indexOf(words[0]) : phrase) - 80, 0);
        link.href = page.location;
        link.textContent = page.title;
        text.textContent = (at ? "… " : "") + page.text.slice(at, at + 240).replace(/\s+/g, " ") + " …";
        heading.appendChild(link);
        article.appendChild(heading);
        article.appendChild(text);
        results.appendChild(article);
    }

    var index = document.createElement("script");
    index.src = "search/index.js";
    index.onload = function () {
        var found = [];
        /* global pages */
        pages.forEach(function (page) { var s = words.length && score(page); if (s) found.push([s, page]); });
        found.sort(function (a, b) { return b[0] - a[0]; });
        results.textContent = found.length ? "" : "Nothing has all of these words.";
        found.slice(0, 40).forEach(function (f) { show(f[1]); });
    };
    document.body.appendChild(index);
})();
