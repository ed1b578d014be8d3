/* One connection for all tables of a browser: this runs in a shared worker, and in the page where there is none. */
const SILENT = 10000, AGAIN = 1000;
const listeners = new Map();
let reading = null, silence = null;

function hear(listener, link) {
  if (link) listeners.set(listener, link); else listeners.delete(listener);
  connect();
}

function tellAll(news) {
  for (const [listener, link] of listeners) if (!news.link || news.link === link) listener(news);
}

function awake() {
  clearTimeout(silence);
  silence = setTimeout(lose, SILENT);
}

function lose() {
  tellAll({ lost: "The connection is lost: it is tried again." });
  connect(AGAIN);
}

async function connect(after = 0) {
  if (reading) reading.abort();
  clearTimeout(silence);
  reading = null;
  if (!listeners.size) return;
  const mine = reading = new AbortController();
  silence = setTimeout(lose, SILENT);
  if (after) await new Promise((done) => setTimeout(done, after));
  if (mine.signal.aborted) return;
  try {
    await listen(mine, [...new Set(listeners.values())]);
  } catch { /* A connection that breaks is made again. */ }
  if (!mine.signal.aborted) lose();
}

async function listen(mine, links) {
  const answer = await fetch(`/events?${links.map((link) => `link=${link}`).join("&")}`, { signal: mine.signal, cache: "no-store" });
  if (!answer.ok) return;
  const words = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let kept = "";
  for (let part = await words.read(); !part.done; part = await words.read()) {
    awake();
    const events = (kept + part.value).split("\n\n");
    kept = events.pop();
    tellAll({ beat: true });
    for (const event of events) if (event.startsWith("data: ")) take(JSON.parse(event.slice(6)));
  }
  if (mine.signal.aborted) return;
  if (listeners.size) await new Promise((done) => setTimeout(done, AGAIN));

  function take(news) {
    tellAll(news);
    if (news.gone) for (const [listener, link] of listeners) if (link === news.link) listeners.delete(listener);
  }
}

function listenFrom(link, listener) {
  const join = (wanted) => hear(listener, wanted ? link : null);
  if (typeof SharedWorker === "undefined") return join;
  let port = null;
  const worker = new SharedWorker("/static/news.js");
  worker.addEventListener("error", () => { port = null; join(true); });
  port = worker.port;
  port.addEventListener("message", ({ data: news }) => listener(news));
  port.start();
  return (wanted) => { if (port) port.postMessage(wanted ? link : null); else join(wanted); };
}

if (typeof SharedWorkerGlobalScope !== "undefined") {
  self.addEventListener("connect", ({ ports: [port] }) => {
    const listener = (news) => port.postMessage(news);
    port.addEventListener("message", ({ data: link }) => hear(listener, link));
    port.start();
  });
}
