import * as v from 'valibot'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { ACTIVITY_ACCESS, type ActivityStatus, MODERATION_MODES } from '#app/lib/vocabulary/contributions.ts'
import { listActivityTexts } from './activity-texts.ts'
import { extraQuestionsSchema, type ExtraQuestion } from './extra-question.schema.ts'

/** Whether others may see the activity, so that its content only changes by being published. */
export const isActivityShown = (status: ActivityStatus): boolean => status !== 'draft'

/** What has versions of an activity: all that its page offers and says. Its address, its place in the list and its status act at once. */
export const activityContentSchema = v.strictObject({
  titleTranslations: v.pipe(createTranslatedSchema(140), v.check(hasText, 'required')),
  introTranslations: createTranslatedSchema(4000),
  stage: v.nullable(idSchema),
  opensAt: v.nullable(timestampSchema),
  closesAt: v.nullable(timestampSchema),
  postAccess: v.picklist(ACTIVITY_ACCESS),
  reactAccess: v.picklist(ACTIVITY_ACCESS),
  groupId: v.nullable(idSchema),
  moderation: v.picklist(MODERATION_MODES),
  /** Checked by the kind. */
  settings: v.record(v.string(), v.unknown()),
  fields: extraQuestionsSchema,
})
export type ActivityContent = v.InferOutput<typeof activityContentSchema>

const EMPTY_CONTENT: ActivityContent = {
  titleTranslations: {},
  introTranslations: {},
  stage: null,
  opensAt: null,
  closesAt: null,
  postAccess: 'anyone_once',
  reactAccess: 'anyone_once',
  groupId: null,
  moderation: 'before',
  settings: {},
  fields: [],
}
const CONTENT_FIELDS = Object.keys(EMPTY_CONTENT) as (keyof ActivityContent)[]

/** Content as stored, or as the API returns it. */
export function readActivityContent(stored: unknown): ActivityContent {
  const given: Partial<ActivityContent> | null = typeof stored === 'object' ? stored : null
  return {
    ...EMPTY_CONTENT,
    ...Object.fromEntries(CONTENT_FIELDS.flatMap((name) => (given?.[name] === undefined ? [] : [[name, given[name]]]))),
  }
}

interface OfferedCategory {
  id: string
  title: Translated
  archived?: boolean
}
const listCategories = (settings: ActivityContent['settings']): readonly OfferedCategory[] =>
  (settings['categories'] as OfferedCategory[] | undefined) ?? []

const omitBlank = (text: Translated): Translated => Object.fromEntries(Object.entries(text).filter(([, said]) => said.trim()))
const toMoment = (text: string | null): string | null =>
  text === null || Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()
const isBegun = (question: ExtraQuestion): boolean =>
  hasText(question.title) || hasText(question.help ?? {}) || ('options' in question && question.options.some(({ label }) => hasText(label)))

/** Without options that are no longer offered. */
const omitRemoved = (question: ExtraQuestion): ExtraQuestion =>
  'options' in question ? { ...question, options: question.options.filter(({ removed }) => !removed) } : question

/**
 * Leaves out what makes no difference: empty texts, categories and questions that are not filled in yet, and archived ones. The archived ones are
 * kept in the activity itself, because contributions refer to them.
 */
export function normaliseActivityContent(content: ActivityContent): ActivityContent {
  const categories = listCategories(content.settings)
    .filter(({ archived }) => !archived)
    .map((category) => ({ ...category, title: omitBlank(category.title) }))
  return {
    ...content,
    titleTranslations: omitBlank(content.titleTranslations),
    introTranslations: omitBlank(content.introTranslations),
    opensAt: toMoment(content.opensAt),
    closesAt: toMoment(content.closesAt),
    settings: {
      ...content.settings,
      ...(content.settings['categories'] !== undefined && { categories: categories.filter(({ title }) => hasText(title)) }),
    },
    fields: content.fields.filter((question) => !question.archived && isBegun(question)).map(omitRemoved),
  }
}

type FlatContent = Record<string, unknown>

/** Each setting by itself, as `settings.photos`. */
function flattenContent({ settings, ...content }: ActivityContent): FlatContent {
  return { ...content, ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`settings.${name}`, value])) }
}

const SETTING = /^settings\./
const unflattenContent = (flat: FlatContent): ActivityContent =>
  readActivityContent({
    ...flat,
    settings: Object.fromEntries(Object.entries(flat).flatMap(([name, value]) => (SETTING.test(name) ? [[name.slice(9), value]] : []))),
  })

/** Names of what differs, each setting by itself: `opensAt`, `settings.photos`. */
export function listDifferences(before: ActivityContent, after: ActivityContent): string[] {
  const [a, b] = [flattenContent(normaliseActivityContent(before)), flattenContent(normaliseActivityContent(after))]
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !isJsonEqual(a[name], b[name]))
}

/** A value of what differs. */
export const getContentValue = (content: ActivityContent, name: string): unknown => flattenContent(content)[name]

/** The content with one value as it is in another version. */
export const takeContentValue = (content: ActivityContent, name: string, from: ActivityContent): ActivityContent =>
  unflattenContent({ ...flattenContent(content), [name]: flattenContent(from)[name] })

/** Both people's changes of the same version, setting by setting and, of a text, language by language. */
export function mergeActivityContents(base: ActivityContent, mine: ActivityContent, theirs: ActivityContent) {
  const [before, own, other] = [flattenContent(base), flattenContent(mine), flattenContent(theirs)]
  const [merged, second]: FlatContent[] = [{}, {}]
  let isClear = true
  for (const name of new Set([...Object.keys(before), ...Object.keys(own), ...Object.keys(other)])) {
    const texts = name.endsWith('Translations')
    const [was, kept, taken] = [before[name], own[name], other[name]]
    const both = texts ? mergeTexts(was as Translated, kept as Translated, taken as Translated) : mergeValues(was, kept, taken)
    isClear &&= both.isClear
    if (merged && both.mine !== undefined) merged[name] = both.mine
    if (second && both.theirs !== undefined) second[name] = both.theirs
  }
  return { mine: unflattenContent(merged ?? {}), theirs: unflattenContent(second ?? {}), isClear }
}

interface Merged<Value> {
  mine: Value
  theirs: Value
  isClear: boolean
}

function mergeValues<Value>(was: Value, mine: Value, theirs: Value): Merged<Value> {
  if (isJsonEqual(was, mine) || isJsonEqual(mine, theirs)) return { mine: theirs, theirs, isClear: true }
  if (isJsonEqual(was, theirs)) return { mine, theirs: mine, isClear: true }
  return { mine, theirs, isClear: false }
}

function mergeTexts(was: Translated, mine: Translated, theirs: Translated): Merged<Translated> {
  const languages = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])] as (keyof Translated)[]
  const merged = languages.map(
    (language) => [language, mergeValues(was[language] ?? '', mine[language] ?? '', theirs[language] ?? '')] as const,
  )
  return {
    mine: Object.fromEntries(merged.map(([language, text]) => [language, text.mine])),
    theirs: Object.fromEntries(merged.map(([language, text]) => [language, text.theirs])),
    isClear: merged.every(([, text]) => text.isClear),
  }
}

/** What people read in it. */
export const listContentTexts = ({ titleTranslations, introTranslations, settings, fields }: ActivityContent): TranslatedText[] =>
  listActivityTexts({ title: titleTranslations, intro: introTranslations, categories: listCategories(settings), questions: fields })
