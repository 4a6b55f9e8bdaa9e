// Filters of registers, and plays to step through. Plain script: it also runs from a file.
(function () {
  "use strict";

  function register(form) {
    var table = document.querySelector(".q-register");
    if (!table) return;
    var body = table.tBodies[0];
    var rows = Array.prototype.slice.call(body.rows);
    var entries = {};
    rows.forEach(function (row) {
      entries[row.dataset.order] = document.getElementById(
        decodeURIComponent(row.querySelector("a").hash.slice(1))
      );
    });
    var output = form.querySelector("output");
    var keys = {
      order: function (row) { return Number(row.dataset.order); },
      class: function (row) { return row.dataset.class; },
      verdict: function (row) { return row.dataset.verdict; },
      severity: function (row) { return Number(row.dataset.severityRank); },
      impact: function (row) { return -Number(row.dataset.impact); }
    };
    function update() {
      var shown = 0;
      var words = form.querySelector("[data-search]").value.toLowerCase();
      rows.forEach(function (row) {
        var fits = row.textContent.toLowerCase().indexOf(words) >= 0;
        form.querySelectorAll("[data-filter]").forEach(function (select) {
          if (select.value && row.dataset[select.dataset.filter] !== select.value) fits = false;
        });
        row.hidden = !fits;
        var entry = entries[row.dataset.order];
        if (entry) entry.hidden = !fits;
        if (fits) shown += 1;
      });
      output.textContent = form.dataset.shown.replace("{shown}", shown).replace("{all}", rows.length);
      var key = keys[form.querySelector("[data-sort]").value];
      rows.slice().sort(function (a, b) {
        var x = key(a), y = key(b);
        return x < y ? -1 : x > y ? 1 : Number(a.dataset.order) - Number(b.dataset.order);
      }).forEach(function (row) { body.appendChild(row); });
    }
    form.addEventListener("input", update);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    update();
  }

  var waiting = {};
  window.quarantiaFrames = function (name, frames) {
    (waiting[name] || []).forEach(function (show) { show(frames); });
    delete waiting[name];
  };

  function element(tag, kind, parent) {
    var made = document.createElement(tag);
    if (kind) made.className = kind;
    parent.appendChild(made);
    return made;
  }

  function stepper(box) {
    var place = 0, frames = null;
    var back = element("button", "q-back", box), on = element("button", "q-on-button", box);
    var count = element("span", "q-count", box), told = element("p", "q-told", box);
    var picture = element("div", "q-picture", box);
    back.type = on.type = "button";
    back.textContent = "◀ " + box.dataset.back;
    on.textContent = box.dataset.on + " ▶";
    told.setAttribute("aria-live", "polite");
    back.disabled = true;
    function draw() {
      var frame = frames[place];
      told.textContent = frame.told;
      picture.innerHTML = frame.picture;
      count.textContent = box.dataset.of.replace("{n}", place + 1).replace("{all}", frames.length);
      back.disabled = place === 0;
      on.disabled = place === frames.length - 1;
    }
    function load(then) {
      if (frames) { then(); return; }
      var name = box.dataset.name;
      (waiting[name] = waiting[name] || []).push(function (found) { frames = found; then(); });
      element("script", "", document.head).src = box.dataset.script;
    }
    function step(by) {
      var first = !frames;
      load(function () {
        place = first ? 0 : Math.max(0, Math.min(frames.length - 1, place + by));
        draw();
      });
    }
    back.addEventListener("click", function () { step(-1); });
    on.addEventListener("click", function () { step(1); });
    if ("IntersectionObserver" in window) {
      var seen = new IntersectionObserver(function (changes) {
        if (changes.some(function (each) { return each.isIntersecting; })) {
          seen.disconnect();
          step(0);
        }
      }, { rootMargin: "200px" });
      seen.observe(box);
    } else {
      step(0);
    }
  }

  function start() {
    document.querySelectorAll(".q-controls").forEach(register);
    document.querySelectorAll(".q-steps").forEach(stepper);
    document.querySelectorAll(".q-print").forEach(function (button) {
      button.addEventListener("click", function () { window.print(); });
    });
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
