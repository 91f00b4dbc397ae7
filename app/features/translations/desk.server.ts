import { findTranslator, type Translator } from '#app/features/marketplace/translator.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type ContentLanguage, listContentLanguages } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import type { Ctx } from '#app/server/context.ts'
import { loadStaleTexts, settleTranslation, type StaleTexts, type TextSubject } from '#app/server/translations.ts'
import { confirmMachineText, loadMachineTexts, type MachineTexts, suggestTranslations } from './machine-texts.server.ts'
import { loadTextSubjects, requireTextSubject } from './text-kinds.server.ts'
import {
  type DeskPage,
  type DeskSearch,
  type DeskText,
  findText,
  formatTextId,
  parseTextId,
  replaceText,
  TEXT_KINDS,
  TEXT_STATES,
  TEXTS_PER_PAGE,
  type TextAddress,
  type TextKind,
} from './translations.schema.ts'

/** The language to translate into: the one asked for, else the first that is not the site's own. */
function chooseLanguage({ site }: Ctx, asked: ContentLanguage | undefined): ContentLanguage {
  const offered = listContentLanguages(site)
  const others = offered.filter((language) => language !== site.locale)
  return asked && offered.includes(asked) ? asked : (others[0] ?? site.locale)
}

/** A text beside its source, or nothing if no language has it. */
function toDeskText(
  { site }: Ctx,
  kind: TextKind,
  subject: TextSubject,
  { pointer, text, isNeeded = false, format, max }: TranslatedText,
  to: ContentLanguage,
  { stale, machine }: { stale: StaleTexts; machine: MachineTexts },
): DeskText[] {
  const written = listContentLanguages(site).filter((language) => text?.[language]?.trim())
  // Of a text that only its own language lacks, another one is the source.
  const from = to === site.locale ? (written.find((language) => language !== to) ?? site.locale) : site.locale
  if (!text || (written.length === 0 && !isNeeded)) return []
  const [source, translation] = [text[from] ?? '', text[to] ?? '']
  const old = translation.trim() ? stale.find(subject.id, text, to) : undefined
  const service = old ? undefined : machine.findService({ subject: subject.id, language: to, source, translation })
  const say = (said: TextSubject['title']) => getTranslation(said, site.locale)
  return [
    {
      id: formatTextId({ kind, subject: subject.id, pointer }),
      kind,
      subject: subject.id,
      pointer,
      title: say(subject.title),
      project: subject.project && { id: subject.project.id, title: say(subject.project.title) },
      isPublic: subject.isPublic,
      editor: subject.editor,
      state: !translation.trim() ? 'missing' : old ? 'stale' : service ? 'machine' : 'done',
      from,
      to,
      source,
      translation,
      ...(format ? { format } : {}),
      ...(max ? { max } : {}),
      ...(old ? { formerSource: old.formerSource, changedAt: old.changedAt.toISOString() } : {}),
      ...(service ? { service } : {}),
    },
  ]
}

/** Every text of the site that the viewer may edit, in one language. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listDeskTexts(ctx: Ctx, { to: asked, kind }: Pick<DeskSearch, 'to' | 'kind'>): Promise<DeskText[]> {
  requireAdministrator(ctx)
  const to = chooseLanguage(ctx, asked)
  const known = await ctx.db.read(async (tx) => ({ stale: await loadStaleTexts(ctx, tx), machine: await loadMachineTexts(ctx, tx) }))
  const texts: DeskText[] = []
  for (const one of kind ? [kind] : TEXT_KINDS)
    for (const subject of await loadTextSubjects(ctx, one))
      texts.push(...subject.texts.flatMap((text) => toDeskText(ctx, one, subject, text, to, known)))
  return texts
}

export function requireAdministrator({ viewer }: Ctx): void {
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (viewer.type !== 'administrator') throw new AppError('forbidden')
}

export function filterTexts(texts: readonly DeskText[], { project, audience, q }: DeskSearch): DeskText[] {
  const wanted = q?.toLocaleLowerCase()
  return texts.filter(
    (text) =>
      (!project || text.project?.id === project) &&
      (!audience || text.isPublic === (audience === 'public')) &&
      (!wanted || [text.title, text.source, text.translation].some((said) => said.toLocaleLowerCase().includes(wanted))),
  )
}

/** A page of the desk: public texts first, in the order of their kinds. @throws {AppError} `unauthenticated`, `forbidden` */
export async function readDesk(ctx: Ctx, search: DeskSearch): Promise<DeskPage> {
  const all = await listDeskTexts(ctx, search)
  const filtered = filterTexts(all, search)
  const counts = { missing: 0, stale: 0, machine: 0, done: 0 }
  for (const { state } of filtered) counts[state] += 1
  const state = search.state ?? TEXT_STATES.find((one) => counts[one] > 0) ?? 'done'
  const shown = filtered.filter((text) => text.state === state).toSorted((a, b) => Number(b.isPublic) - Number(a.isPublic))
  const to = chooseLanguage(ctx, search.to)
  const translator = await findTranslator(ctx)
  const start = ((search.page ?? 1) - 1) * TEXTS_PER_PAGE
  const open = (search.text ? all.find(({ id }) => id === search.text) : undefined) ?? null
  const subject = open && (await requireTextSubject(ctx, open.kind, open.subject))
  return {
    texts: shown.slice(start, start + TEXTS_PER_PAGE),
    total: shown.length,
    state,
    counts,
    from: ctx.site.locale,
    to,
    open,
    canPublish: subject?.publish !== undefined,
    translator: open && nameIfAble(translator, open),
    service: nameIfAble(translator, { source: '.', from: ctx.site.locale, to }),
  }
}

const nameIfAble = (translator: Translator | undefined, { source, from, to }: Pick<DeskText, 'source' | 'from' | 'to'>): string | null =>
  translator?.canTranslate(Array.from(source).length, from, to) ? translator.name : null

interface Translation extends TextAddress {
  language: ContentLanguage
  /** What the source says where it was translated, and what the translation said so far: another one is refused. */
  source: string
  was: string
  translation: string
}

/** @throws {AppError} `not-found` if no such text exists in it */
function requireText(subject: TextSubject, pointer: string) {
  const known = subject.texts.find((text) => text.pointer === pointer)
  if (!known) throw new AppError('not-found')
  return findText(subject.content, pointer) ?? {}
}

/**
 * Writes one translation through the use-case of its kind, with its policy and history.
 * @throws {AppError} `not-found`; `stale` if the source or the translation changed meanwhile; whatever the use-case refuses
 */
export async function saveTranslation(ctx: Ctx, id: string, change: Omit<Translation, keyof TextAddress>): Promise<void> {
  requireAdministrator(ctx)
  const { language, source, was, translation } = change
  if (!listContentLanguages(ctx.site).includes(language)) throw new AppError('not-found')
  const address = requireTextAddress(id)
  const subject = await requireTextSubject(ctx, address.kind, address.subject)
  const text = requireText(subject, address.pointer)
  const sources = listContentLanguages(ctx.site)
    .filter((one) => one !== language)
    .map((one) => text[one] ?? '')
  if ((text[language] ?? '') !== was || !sources.includes(source)) throw new AppError('stale')
  await subject.save(replaceText(subject.content, address.pointer, { ...text, [language]: translation }))
}

/**
 * Publishes the draft that a text is in.
 * @returns whether it is public now, or a review of it was asked for
 * @throws {AppError} `not-found`; `conflict` if nothing of it waits to be published, or the viewer may not; `invalid` with what is missing
 */
export async function publishText(ctx: Ctx, id: string, waived: readonly string[]): Promise<'published' | 'asked'> {
  requireAdministrator(ctx)
  const address = requireTextAddress(id)
  const { publish } = await requireTextSubject(ctx, address.kind, address.subject)
  if (!publish) throw new AppError('conflict')
  return publish(waived)
}

/**
 * Has a text translated by the site's service, for whoever may edit it. Nothing is saved.
 * @throws {AppError} `not-found`; `stale` if the source changed meanwhile; `not-translatable`, `too-many-requests`, `translation-unavailable`
 */
export async function askMachine(ctx: Ctx, id: string, asked: { language: ContentLanguage; source: string }): Promise<string> {
  requireAdministrator(ctx)
  const address = requireTextAddress(id)
  const subject = await requireTextSubject(ctx, address.kind, address.subject)
  const text = requireText(subject, address.pointer)
  const from = listContentLanguages(ctx.site).find((one) => one !== asked.language && text[one] === asked.source)
  if (!from || !listContentLanguages(ctx.site).includes(asked.language)) throw new AppError('stale')
  const [translation = ''] = await suggestTranslations(ctx, {
    texts: [{ subject: subject.id, source: asked.source }],
    from,
    language: asked.language,
  })
  return translation
}

/** Marks a translation as right although its source changed, or a machine wrote it. @throws {AppError} `not-found`; `stale` if it changed meanwhile */
export async function settleText(ctx: Ctx, id: string, change: { language: ContentLanguage; source: string; was: string }): Promise<void> {
  requireAdministrator(ctx)
  const address = requireTextAddress(id)
  const subject = await requireTextSubject(ctx, address.kind, address.subject)
  const text = requireText(subject, address.pointer)
  const { language, source, was } = change
  const isSource = listContentLanguages(ctx.site).some((one) => one !== language && text[one] === source)
  if (text[language] !== was || !isSource) throw new AppError('stale')
  await ctx.db.tx(async (tx) => {
    await settleTranslation(ctx, tx, subject.id, text, language)
    await confirmMachineText(ctx, tx, { subject: subject.id, language, source, translation: was })
  })
}

function requireTextAddress(id: string): TextAddress {
  const address = parseTextId(id)
  if (!address) throw new AppError('not-found')
  return address
}
