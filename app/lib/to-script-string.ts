/** JSON of a text that may stand in a script of a page: it can neither end the script nor, in a template, a line. */
export const toScriptString = (text: string | null): string =>
  JSON.stringify(text)
    .replaceAll('<', String.raw`\x3C`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
