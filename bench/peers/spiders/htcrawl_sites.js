// What htcrawl reaches by itself: it fills what it finds with values of its own and sends it.
//
//   NODE_PATH=node_modules node htcrawl_sites.js WORK.json
//
// htcrawl works on one page and says where its events would lead; the queue of these requests is
// ours, as in the examples of its documentation. A browser a site, all at once.
const fs = require("fs");
const htcrawl = require("htcrawl");

async function crawlPage(asked, found) {
  const post = asked.method === "POST" ? { loadWithPost: true, postData: asked.data } : {};
  const crawler = await htcrawl.launch(asked.url, { maxExecTime: 20000, ...post });
  crawler.on("navigation", (event) => found(event.params.request));
  try {
    await crawler.load();
    await crawler.start();
  } catch (error) {
    console.log(`${asked.url}: ${error.message || error}`);
  } finally {
    await crawler.browser().close();
  }
}

async function crawlSite(start, until) {
  const origin = new URL(start).origin;
  const seen = new Set([`GET ${start} null`]);
  const queue = [{ method: "GET", url: start, data: null }];
  while (queue.length && Date.now() < until) {
    await crawlPage(queue.shift(), ({ method, url, data }) => {
      const key = `${method} ${url} ${data}`;
      if (new URL(url).origin !== origin || seen.has(key)) return;
      seen.add(key);
      queue.push({ method, url, data });
    });
  }
}

const work = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const until = Date.now() + work.limit_s * 1000;
Promise.all(Object.values(work.sites).map((start) => crawlSite(start, until)));
