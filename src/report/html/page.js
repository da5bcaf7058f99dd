"use strict";
(function () {
  const tools = document.querySelector(".tools");
  const search = document.getElementById("search");
  const status = document.getElementById("status");
  const found = document.getElementById("found");
  const rows = Array.from(document.querySelectorAll("tr[data-event]")).map(row => ({
    row, text: row.cells[0].textContent.toLowerCase(), status: row.cells[1].textContent,
    section: row.closest("section"), event: row.dataset.event}));
  const plain = text => text.toLowerCase().replace(/[^a-z0-9]+/g, " "); // DP Ops, dp_ops and PAPI_DP_OPS alike
  const overview = new Map(Array.from(document.querySelectorAll(".overview tbody tr")).map(row => [
    row.querySelector("a").hash.slice(1), row]));
  const cards = Array.from(document.querySelectorAll(".card[data-metric]")).map(card => ({ // not the collapsed ones
    card, line: overview.get(card.id), text: plain(Array.from(card.querySelectorAll(":scope > .top :is(h3, .name), :scope > p, :scope > .terms .name"))
      .map(part => part.textContent).join(" "))}));

  function markFound(section, events) {
    for (const mark of section.querySelectorAll(".m[data-event]"))
      mark.classList.toggle("found", events !== null && events.has(mark.dataset.event));
  }

  function filter() {
    const wanted = search.value.trim().toLowerCase(), kept = status.value, all = !wanted && !kept, words = plain(wanted).trim();
    const bySection = new Map();
    let count = 0, metrics = 0;
    for (const entry of rows) {
      const shown = entry.text.includes(wanted) && (!kept || entry.status === kept);
      entry.row.hidden = !shown;
      if (!bySection.has(entry.section)) bySection.set(entry.section, new Set());
      if (shown) { count++; bySection.get(entry.section).add(entry.event); }
    }
    for (const [section, events] of bySection) {
      markFound(section, all ? null : events);
      section.classList.toggle("searching", !all);
      const details = section.querySelector("details.events");
      if (details && !all) details.open = events.size > 0;
    }
    for (const entry of cards) {
      entry.card.hidden = !entry.text.includes(words);
      if (entry.line) entry.line.hidden = entry.card.hidden;
      if (!entry.card.hidden) metrics++;
    }
    found.textContent = all ? "" : (wanted ? metrics + " metrics, " : "") + count + " events";
  }

  let waiting = 0;
  function later() { clearTimeout(waiting); waiting = setTimeout(filter, 120); }
  tools.hidden = false;
  search.addEventListener("input", later);
  status.addEventListener("change", later);

  async function copy(button) {
    const text = document.getElementById(button.dataset.copy).textContent, said = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch (refused) {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = said; }, 1500);
  }
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }

  // Parts never seen have no height of their own, so a link would land elsewhere: the first one lays out all.
  function land() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    document.documentElement.classList.add("whole");
    target.scrollIntoView();
  }
  addEventListener("hashchange", land);
  document.addEventListener("click", event => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) setTimeout(land);
  });
  land();

  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  document.body.append(tip);
  for (const title of document.querySelectorAll(".m > title")) { // instead of the browser's own, which come late
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  function showTip(event) {
    const mark = event.target.closest ? event.target.closest("[data-tip]") : null;
    tip.hidden = mark === null;
    if (mark === null) return;
    tip.textContent = mark.dataset.tip;
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const above = event.clientY - tip.offsetHeight - 12;
    tip.style.left = Math.max(8, left) + "px";
    tip.style.top = (above < 4 ? event.clientY + 18 : above) + "px";
  }
  document.addEventListener("pointermove", showTip);
  document.addEventListener("pointerdown", showTip);
  addEventListener("beforeprint", () => { for (const details of document.querySelectorAll("details")) details.open = true; });
})();
