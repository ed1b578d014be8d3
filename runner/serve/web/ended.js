const own = location.pathname.replace(/\/$/, "");

async function again() {
  const how = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  try {
    const answer = await fetch(`${own}/again`, how), found = await answer.json();
    if (!answer.ok) { at("notice").textContent = found.error; return; }
    if (found.next) { location.assign(`/t/${found.next}`); return; }
    const count = found.waits_for.length;
    at("notice").textContent = `Waiting for ${count} other ${count === 1 ? "person" : "people"} to press the same.`;
    setTimeout(again, 3000);
  } catch {
    at("notice").textContent = "The server does not answer.";
  }
}

at("page").src = `${own}/page${location.hash}`;
at("again").addEventListener("click", again);
