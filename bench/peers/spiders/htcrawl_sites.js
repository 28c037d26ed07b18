// What htcrawl reaches by itself: on each page it fills what can be filled with values of its own
// and fires the events of all elements, so that scripts send what they send.
//
//   NODE_PATH=node_modules node htcrawl_sites.js WORK.json
//
// htcrawl works on one page and leaves it for nothing; the queue of links is ours. A browser a
// page, as its documentation has it; four sites at once.
const fs = require("fs");
const htcrawl = require("htcrawl");

const PAGE_MS = 15000;

async function crawlPage(url) {
  const crawler = await htcrawl.launch(url, { maxExecTime: PAGE_MS });
  const links = [];
  crawler.on("navigation", (event) => links.push(event.params.request.url));
  try {
    await crawler.load();
    links.push(...(await crawler.page().$$eval("a[href]", (all) => all.map((a) => a.href))));
    await crawler.start();
  } catch (error) {
    console.log(`${url}: ${error.message || error}`);
  }
  crawler.browser().process().kill(); // its close() may wait for ever
  return links;
}

async function crawlSite(start, until) {
  const origin = new URL(start).origin;
  const seen = new Set([start]);
  const queue = [start];
  while (queue.length && Date.now() < until) {
    for (const link of await crawlPage(queue.shift())) {
      const url = link.split("#")[0];
      if (new URL(url).origin !== origin || seen.has(url)) continue;
      seen.add(url);
      queue.push(url);
    }
  }
}

const work = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const until = Date.now() + work.limit_s * 1000;
const crawls = Object.values(work.sites).map((start) => crawlSite(start, until));
Promise.all(crawls).then(() => process.exit(0));
