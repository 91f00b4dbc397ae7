import { findTranslator, MAX_TRANSLATED_LETTERS } from '#app/features/marketplace/translator.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { settleTranslation } from '#app/server/translations.ts'
import { filterTexts, listDeskTexts } from './desk.server.ts'
import { confirmMachineText, suggestTranslations } from './machine-texts.server.ts'
import { requireTextSubject } from './text-kinds.server.ts'
import {
  ACT_STATES,
  type DeskSearch,
  type DeskText,
  findText,
  replaceText,
  TEXTS_AT_ONCE,
  type TextAct,
  type TextBatch,
  type TextState,
} from './translations.schema.ts'

interface BulkChange {
  act: TextAct
  search: DeskSearch & { state: TextState }
  /** Only these of the texts that match. */
  ids?: readonly string[] | undefined
  /** The last text of the batch before. */
  after?: string | undefined
}

interface Written {
  text: DeskText
  translation: string
}

/**
 * Does the same with every text that matches the filters, a batch at a time. What the editor of a text refuses stays as it is.
 * @throws {AppError} `unauthenticated`, `forbidden`; `invalid` for an act that the state does not have; for a machine also
 * `not-translatable`, `too-many-requests` and `translation-unavailable`, before anything of the batch is written
 */
export async function changeTexts(ctx: Ctx, { act, search, ids, after }: BulkChange): Promise<TextBatch> {
  if (!ACT_STATES[act].includes(search.state)) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/act' }] })
  const all = await listDeskTexts(ctx, search)
  const matching = filterTexts(all, search)
    .filter(({ id, state }) => state === search.state && (!ids || ids.includes(id)) && (!after || id > after))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const batch = act === 'machine' ? takeLetters(matching) : matching.slice(0, TEXTS_AT_ONCE)
  const last = matching.length > batch.length ? batch.at(-1)?.id : undefined
  const outcome = act === 'confirm' ? await confirmTexts(ctx, batch) : await writeTexts(ctx, await translateTexts(ctx, act, batch))
  return { ...outcome, refused: batch.length - outcome.changed, next: last ?? null }
}

/** As many texts as a service takes at once. */
function takeLetters(texts: readonly DeskText[]): DeskText[] {
  let letters = 0
  const fitting = texts.slice(0, TEXTS_AT_ONCE).findIndex(({ source }) => (letters += Array.from(source).length) > MAX_TRANSLATED_LETTERS)
  return texts.slice(0, fitting < 0 ? TEXTS_AT_ONCE : Math.max(fitting, 1))
}

async function confirmTexts(ctx: Ctx, texts: readonly DeskText[]): Promise<Omit<TextBatch, 'next' | 'refused'>> {
  await ctx.db.tx(async (tx) => {
    for (const { subject, from, to, source, translation } of texts) {
      await settleTranslation(ctx, tx, subject, { [from]: source, [to]: translation }, to)
      await confirmMachineText(ctx, tx, { subject, language: to, source, translation })
    }
  })
  return { changed: texts.length, reason: null }
}

/** What is to be written: what the source says, or what a machine makes of it. Texts without a source, or that the service cannot take, are left out. */
async function translateTexts(ctx: Ctx, act: Exclude<TextAct, 'confirm'>, texts: readonly DeskText[]): Promise<Written[]> {
  if (act === 'same') return texts.filter(({ source }) => source.trim()).map((text) => ({ text, translation: text.source }))
  const translator = await findTranslator(ctx)
  if (!translator) throw new AppError('not-translatable')
  const written: Written[] = []
  const able = texts.filter(({ source, from, to }) => translator.canTranslate(Array.from(source).length, from, to))
  for (const [from, some] of Map.groupBy(able, (text) => text.from)) {
    const [{ to: language } = { to: from }] = some
    const translations = await suggestTranslations(ctx, { texts: some, from, language })
    written.push(...some.map((text, at) => ({ text, translation: translations[at] ?? '' })))
  }
  return written.filter(({ translation }) => translation !== '')
}

/** Writes all texts of one page, project or survey at once, through the use-case of its kind. */
async function writeTexts(ctx: Ctx, written: readonly Written[]): Promise<Omit<TextBatch, 'next' | 'refused'>> {
  let changed = 0
  let reason: string | null = null
  for (const some of Map.groupBy(written, ({ text }) => `${text.kind}/${text.subject}`).values()) {
    const [first] = some
    if (!first) continue
    try {
      const subject = await requireTextSubject(ctx, first.text.kind, first.text.subject)
      const content = some.reduce((now, { text, translation }) => {
        const said = findText(now, text.pointer)
        const isAsListed = said?.[text.from] === text.source && (said[text.to] ?? '') === text.translation
        if (!isAsListed) throw new AppError('stale')
        return replaceText(now, text.pointer, { ...said, [text.to]: translation })
      }, subject.content)
      await subject.save(content)
      changed += some.length
    } catch (error) {
      if (!isAppError(error)) throw error
      reason = getTranslator(ctx.language, 'errors')(...toFaultTitle(error.faults[0] ?? error))
    }
  }
  return { changed, reason }
}
