"use strict";
{
  const block = document.getElementById("facts");
  const form = document.getElementById("filters");
  if (block && form) start(JSON.parse(block.textContent), form);

  function start(facts, form) {
    const fields = [...form.elements].filter((field) => field.name);
    const body = document.querySelector("#list tbody");
    const rows = facts.rows.map((row, place) => {
      return { ...row, place, element: body.rows[place], text: [row.log, ...row.players].join("\n").toLowerCase() };
    });
    const wanted = () => Object.fromEntries(fields.map((field) => [field.name, field.value]));

    function fits(row, want) {
      const player = want.player || facts.player;
      const withPlayer = !want.player || row.players.includes(player);
      return withPlayer && (!want.text || row.text.includes(want.text.toLowerCase())) && (!want.game || row.game === want.game)
        && (!want.highlight || row.highlights.includes(want.highlight)) && (!want.least || row.decisions >= Number(want.least))
        && (!want.most || row.decisions <= Number(want.most)) && (!want.cost || row.cost <= Number(want.cost))
        && hasResult(row, want.result, player);
    }

    function hasResult(row, result, player) {
      switch (result) {
        case "won": return row.finished && (!player || row.winners.includes(player));
        case "lost": return row.finished && player && !row.winners.includes(player);
        case "shared": return row.winners.length > 1;
        case "struck": return row.struck;
        case "finished": return row.finished;
        case "unfinished": return !row.finished;
        case "reviewed": return row.reviewed;
        default: return true;
      }
    }

    function compared(sort) {
      const name = sort.replace("-", "");
      const sign = sort.startsWith("-") ? -1 : 1;
      return (one, other) => (one[name] < other[name] ? -sign : one[name] > other[name] ? sign : one.place - other.place);
    }

    const more = document.getElementById("more");
    const MOST = 200;
    let sorted = rows;
    function show(most = MOST) {
      const want = wanted();
      let count = 0;
      order(want.sort);
      for (const row of sorted) {
        const isFit = fits(row, want);
        count += isFit;
        row.element.hidden = !isFit || count > most;
      }
      more.hidden = count <= most;
      more.textContent = `Show all ${count.toLocaleString("en")}`;
      const all = rows.length.toLocaleString("en");
      const words = rows.length === 1 ? "match" : "matches";
      document.getElementById("count").textContent = count === rows.length ? `${all} ${words}` : `${count.toLocaleString("en")} of ${all} ${words}`;
      document.getElementById("none").hidden = count > 0;
    }

    let shownOrder = "";
    function order(sort) {
      for (const button of document.querySelectorAll("#list [data-sort]")) {
        const name = button.dataset.sort;
        const direction = sort === name ? "ascending" : sort === `-${name}` ? "descending" : null;
        if (direction) button.parentElement.setAttribute("aria-sort", direction);
        else button.parentElement.removeAttribute("aria-sort");
      }
      if (sort === shownOrder) return;
      shownOrder = sort;
      sorted = [...rows].sort(sort ? compared(sort) : (one, other) => one.place - other.place);
      body.append(...sorted.map((row) => row.element));
    }

    function write() {
      const set = Object.entries(wanted()).filter(([, value]) => value);
      const words = new URLSearchParams(set).toString();
      history.replaceState(null, "", words ? `#${words}` : location.pathname + location.search);
    }

    function read() {
      const words = location.hash.slice(1);
      if (words && !words.includes("=")) return;
      const found = new URLSearchParams(words);
      for (const field of fields) field.value = found.get(field.name) ?? "";
      show();
    }

    more.addEventListener("click", () => {
      const last = body.querySelector("tr:not([hidden]):nth-last-child(1 of :not([hidden])) a");
      show(Infinity);
      last.focus();
    });
    form.addEventListener("input", () => { show(); write(); });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => { show(); write(); }));
    document.getElementById("list").addEventListener("click", (event) => {
      const name = event.target.dataset.sort;
      if (!name) return;
      form.elements.sort.value = form.elements.sort.value === name ? `-${name}` : name;
      show();
      write();
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target.matches("input, select");
      if (event.key === "/" && !isTyping) { event.preventDefault(); filtering.open = true; form.elements.text.focus(); }
      if (event.key === "Escape" && form.contains(event.target)) form.reset();
    });
    addEventListener("hashchange", read);
    const filtering = document.getElementById("filtering"), results = document.getElementById("results");
    try { results.checked = localStorage.getItem("tabletop-ending") === "shown"; } catch { /* A browser may allow no storage. */ }
    results.addEventListener("change", () => {
      try { localStorage.setItem("tabletop-ending", results.checked ? "shown" : "hidden"); } catch { /* as above */ }
    });
    read();
    filtering.open = Object.values(wanted()).some(Boolean);
  }
}
