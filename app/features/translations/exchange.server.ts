import { assertHarmless } from '#app/features/media/assert-harmless.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { type ContentLanguage, listContentLanguages, matchLanguage } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import type { TextSubject } from '#app/server/translations.ts'
import { withUploadedFile } from '#app/server/uploaded-file.ts'
import { streamWorkbook, yieldRows } from '#app/server/workbook.ts'
import { filterTexts, listDeskTexts, requireAdministrator } from './desk.server.ts'
import { requireTextSubject } from './text-kinds.server.ts'
import {
  type FileText,
  type ImportedText,
  type ImportOutcome,
  type ImportReport,
  LARGEST_TRANSLATIONS,
  type TranslationFile,
  writeXliff,
} from './translation-file.ts'
import { type DeskText, findText, parseTextId, readDeskSearch, replaceText } from './translations.schema.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const XLIFF = 'application/xliff+xml; charset=utf-8'

type Serve = (from: { context: RequestContext; request: Request }) => Promise<Response>

/** The texts under the desk's filters, for translators; each download is audited. */
const createExport =
  (
    extension: string,
    type: string,
    write: (texts: DeskText[], to: ContentLanguage, from: ContentLanguage) => AsyncGenerator<Uint8Array>,
  ): Serve =>
  ({ context: { ctx }, request }) =>
    createFileResponse(ctx, async () => {
      const search = readDeskSearch(Object.fromEntries(new URL(request.url).searchParams))
      const all = await listDeskTexts(ctx, search)
      const texts = filterTexts(all, search).filter(({ state, source }) => source.trim() && (!search.state || state === search.state))
      const to = search.to ?? texts[0]?.to ?? ctx.site.locale
      const from = texts[0]?.from ?? ctx.site.locale
      await ctx.db.tx((tx) => recordAudit(ctx, tx, { action: 'texts.export', detail: { to, texts: texts.length } }))
      return { filename: `texts-${to}.${extension}`, type, pieces: write(texts, to, from) }
    })

export const serveTextsWorkbook = createExport('xlsx', XLSX, (texts, to, from) =>
  streamWorkbook([
    {
      name: 'Texts',
      heads: ['ID', 'Where', 'State', `Source (${from})`, `Target (${to})`],
      rows: yieldRows(
        texts.map(({ id, title, pointer, state, source, translation }) => [id, `${title}${pointer}`, state, source, translation]),
      ),
    },
  ]),
)

export const serveTextsXliff = createExport('xlf', XLIFF, (texts, to, from) => encodePieces(writeXliff(texts, { from, to })))

// oxlint-disable-next-line require-await -- files are read as async iterables
async function* encodePieces(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const piece of pieces) yield encoder.encode(piece)
}

const RESPONSE_HEADERS = { 'cache-control': 'private, no-store', 'content-type': 'application/json' }
const FORM_MARGIN_BYTES = 10_000

/**
 * Takes in a file from translators: a form with `file`, and with `write` to write what was only shown before. Permission is checked before
 * any of it is read. Answers with an `ImportReport`, or an error with its `code` and its `title` in the reader's language.
 */
export const uploadTranslations: Serve = async ({ context: { ctx }, request }) => {
  try {
    requireAdministrator(ctx)
    const { file, writes } = await withUploadedFile(
      request,
      { fileBytes: LARGEST_TRANSLATIONS, fieldBytes: FORM_MARGIN_BYTES },
      async (sent, fields) => {
        const bytes = await sent.read()
        if (bytes.length > LARGEST_TRANSLATIONS) throw new AppError('too-large')
        await assertHarmless(ctx, bytes, {})
        return { file: new Uint8Array(bytes), writes: fields.get('write') === '1' }
      },
    )
    const read = await readInOwnProcess<TranslationFile>('translations', { file }, ctx.site.id)
    return Response.json(await importTranslations(ctx, read, writes), { headers: RESPONSE_HEADERS })
  } catch (error) {
    if (!isAppError(error)) throw error
    const code = error.faults[0]?.code ?? error.code
    return Response.json(
      { error: { code, title: getTranslator(ctx.language, 'errors')(`codes.${code}`) } },
      { status: error.status, headers: RESPONSE_HEADERS },
    )
  }
}

interface PlannedText {
  text: ImportedText
  pointer: string
}

/**
 * What a file changes. An empty translation erases nothing, and a text whose source is another one by now is not taken in.
 * @param writes false to look only
 * @throws {AppError} `invalid` with `language-unknown` at `/file` if it is in no language of the site
 */
export async function importTranslations(ctx: Ctx, file: TranslationFile, writes: boolean): Promise<ImportReport> {
  requireAdministrator(ctx)
  const to = matchLanguage(file.to, listContentLanguages(ctx.site))
  if (!to) throw new AppError('invalid', { faults: [{ code: 'language-unknown', pointer: '/file' }] })
  const bySubject = Map.groupBy(file.texts, ({ id }) => {
    const address = parseTextId(id)
    return address ? `${address.kind}/${address.subject}` : ''
  })
  const found: ImportedText[] = []
  for (const [name, texts] of bySubject) {
    const address = name ? parseTextId(texts[0]?.id ?? '') : undefined
    const subject = address && (await findSubject(ctx, address))
    if (!subject) {
      found.push(...texts.map((text) => toUnknown(text)))
      continue
    }
    const planned = texts.map((text) => planText(ctx, subject, text, to))
    found.push(...planned.map(({ text }) => text))
    if (writes) await writeChanges(ctx, subject, planned, to)
  }
  const counts: Record<ImportOutcome, number> = { changes: 0, 'source-changed': 0, unknown: 0, refused: 0, same: 0, empty: 0 }
  for (const { outcome } of found) counts[outcome] += 1
  if (writes) await ctx.db.tx((tx) => recordAudit(ctx, tx, { action: 'texts.import', detail: { to, ...counts } }))
  return { to, written: writes, counts, texts: found.filter(({ outcome }) => outcome !== 'same' && outcome !== 'empty') }
}

const findSubject = async (ctx: Ctx, { kind, subject }: NonNullable<ReturnType<typeof parseTextId>>): Promise<TextSubject | undefined> => {
  try {
    return await requireTextSubject(ctx, kind, subject)
  } catch (error) {
    if (isAppError(error, 'not-found')) return undefined
    throw error
  }
}

const toUnknown = ({ id, source, target }: FileText): ImportedText => ({
  id,
  outcome: 'unknown',
  title: id.slice(0, 200),
  pointer: '',
  source,
  before: '',
  after: target,
})

/** Programs for translators write line ends and spaces at the edges in their own way. */
const normaliseText = (text: string): string => text.replaceAll('\r\n', '\n').trim()

function planText({ site }: Ctx, subject: TextSubject, { id, source, target }: FileText, to: ContentLanguage): PlannedText {
  const title = getTranslation(subject.title, site.locale)
  const asked = parseTextId(id)?.pointer ?? ''
  const saysSource = ({ text }: TextSubject['texts'][number]) =>
    listContentLanguages(site).some(
      (language) => language !== to && normaliseText(text?.[language] ?? '') === normaliseText(source) && source.trim(),
    )
  const inPlace = subject.texts.find(({ pointer }) => pointer === asked)
  // Questions and blocks may have moved since: the text that says the same is meant.
  const meant = inPlace && saysSource(inPlace) ? inPlace : subject.texts.find((text) => saysSource(text))
  const text = meant ?? inPlace
  if (!text) return { text: { ...toUnknown({ id, source, target }), title }, pointer: asked }
  const before = text.text?.[to] ?? ''
  const outcome: ImportOutcome = !target.trim()
    ? 'empty'
    : normaliseText(before) === normaliseText(target)
      ? 'same'
      : meant
        ? 'changes'
        : 'source-changed'
  return { text: { id, outcome, title, pointer: text.pointer, source, before, after: target }, pointer: text.pointer }
}

/** Writes all of a subject's changes at once; if its use-case refuses them, says why beside each. */
async function writeChanges(ctx: Ctx, subject: TextSubject, planned: readonly PlannedText[], to: ContentLanguage): Promise<void> {
  const changes = planned.filter(({ text }) => text.outcome === 'changes')
  if (changes.length === 0) return
  const content = changes.reduce(
    (now, { text, pointer }) => replaceText(now, pointer, { ...findText(now, pointer), [to]: text.after.replaceAll('\r\n', '\n') }),
    subject.content,
  )
  try {
    await subject.save(content)
  } catch (error) {
    if (!isAppError(error)) throw error
    const reason = getTranslator(ctx.language, 'errors')(...toFaultTitle(error.faults[0] ?? error))
    for (const { text } of changes) Object.assign(text, { outcome: 'refused', reason })
  }
}
