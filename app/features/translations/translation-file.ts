import type { ContentLanguage } from '#app/lib/languages.ts'
import type { DeskText } from './translations.schema.ts'

/** Largest file to take in, in bytes. */
export const LARGEST_TRANSLATIONS = 8_000_000

/** One text of a file that comes back from translators. */
export interface FileText {
  /** Which text, as the exported file named it. */
  id: string
  source: string
  target: string
}

/** What a file of translations says. */
export interface TranslationFile {
  /** As the file names them; undefined if it does not. */
  from: string | undefined
  to: string | undefined
  texts: FileText[]
}

/** What would become of a text, or became of it. */
export const IMPORT_OUTCOMES = ['changes', 'source-changed', 'unknown', 'refused', 'same', 'empty'] as const
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number]

export interface ImportedText {
  id: string
  outcome: ImportOutcome
  /** Of what it belongs to; what the file called it if the site does not have it. */
  title: string
  pointer: string
  source: string
  /** What it said so far, and what the file says. */
  before: string
  after: string
  /** Why it was refused, in the reader's language. */
  reason?: string
}

export interface ImportReport {
  to: ContentLanguage
  /** False for a look at what would change. */
  written: boolean
  counts: Record<ImportOutcome, number>
  /** Those that change or cannot be taken in; the others are only counted. */
  texts: ImportedText[]
}

// oxlint-disable-next-line no-control-regex -- XML does not allow these control characters
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

const escapeXml = (text: string): string =>
  text
    .replace(UNWRITABLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // A parser would make a line feed of it.
    .replaceAll('\r', '&#13;')

const STATES = { missing: 'initial', stale: 'initial', machine: 'translated', done: 'translated' } as const

/** XLIFF 2.1: a file for each thing that has texts, a unit for each text. */
export function* writeXliff(texts: readonly DeskText[], languages: { from: ContentLanguage; to: ContentLanguage }): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="${languages.from}" trgLang="${languages.to}">\n`
  let open = ''
  for (const [at, text] of texts.entries()) {
    const file = `${text.kind}.${text.subject}`
    if (file !== open) {
      if (open) yield '</file>\n'
      yield `<file id="${file}" original="${escapeXml(text.title)}">\n`
      open = file
    }
    const notes = [
      `<note category="text">${escapeXml(text.title)}${escapeXml(text.pointer)}</note>`,
      `<note category="state">${text.state}</note>`,
      ...(text.formerSource === undefined ? [] : [`<note category="former-source">${escapeXml(text.formerSource)}</note>`]),
    ]
    const target = text.translation.trim() ? `<target xml:space="preserve">${escapeXml(text.translation)}</target>` : ''
    yield `<unit id="t${at + 1}" name="${escapeXml(text.id)}"><notes>${notes.join('')}</notes><segment state="${STATES[text.state]}"><source xml:space="preserve">${escapeXml(text.source)}</source>${target}</segment></unit>\n`
  }
  if (open) yield '</file>\n'
  yield '</xliff>\n'
}
