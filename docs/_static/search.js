// Put a space between the cells of a table, which the snippets of search results run together.
addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const textOf = Search.htmlToText;
  Search.htmlToText = (html, anchor) => textOf(html.replaceAll(/<\/(t[dh]|caption|li|p|pre)>/g, " $&"), anchor);
});
