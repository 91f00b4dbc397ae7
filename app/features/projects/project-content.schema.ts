import * as v from 'valibot'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import type { Language } from '#app/lib/languages.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import type { ProjectStatus } from '#app/lib/vocabulary/projects.ts'
import { faqSchema, keyDateSchema, pictureSchema, placeSchema, teamMemberSchema } from './projects.api.schema.ts'

/** Whether others may see the project, so that its content only changes by being published. */
export const isProjectShown = (status: ProjectStatus): boolean => status === 'published' || status === 'archived'

/** What a project says: the part of it that has versions. Everything else about a project is a setting, which acts at once. */
export const projectContentSchema = v.strictObject({
  titleTranslations: createTranslatedSchema(200),
  summaryTranslations: createTranslatedSchema(600),
  bodyTranslations: createTranslatedSchema(40_000),
  outcomeTranslations: createTranslatedSchema(40_000),
  picture: v.nullable(pictureSchema),
  pictureAltTranslations: createTranslatedSchema(300),
  place: v.nullable(placeSchema),
  team: v.pipe(v.array(teamMemberSchema), v.maxLength(30)),
  faqs: v.pipe(v.array(faqSchema), v.maxLength(40)),
  dates: v.pipe(v.array(keyDateSchema), v.maxLength(60)),
})
export type ProjectContent = v.InferOutput<typeof projectContentSchema>

export const CONTENT_FIELDS = Object.keys(projectContentSchema.entries) as (keyof ProjectContent)[]

const EMPTY_CONTENT: ProjectContent = {
  titleTranslations: {},
  summaryTranslations: {},
  bodyTranslations: {},
  outcomeTranslations: {},
  picture: null,
  pictureAltTranslations: {},
  place: null,
  team: [],
  faqs: [],
  dates: [],
}

/** Content as stored, or as the API returns it. */
export function readProjectContent(stored: unknown): ProjectContent {
  const given: Partial<ProjectContent> | null = typeof stored === 'object' ? stored : null
  return { ...EMPTY_CONTENT, ...Object.fromEntries(CONTENT_FIELDS.flatMap((name) => (given?.[name] ? [[name, given[name]]] : []))) }
}

/** Without what makes no difference: empty texts, items that nobody has filled in yet, and the ids that key dates get each time they are stored. */
export function normaliseContent(content: ProjectContent): ProjectContent {
  return {
    ...content,
    titleTranslations: omitBlank(content.titleTranslations),
    summaryTranslations: omitBlank(content.summaryTranslations),
    bodyTranslations: omitBlank(content.bodyTranslations),
    outcomeTranslations: omitBlank(content.outcomeTranslations),
    pictureAltTranslations: omitBlank(content.pictureAltTranslations),
    place: content.place && { ...content.place, address: omitBlank(content.place.address) },
    team: content.team
      .map(({ role, ...member }) => ({ ...member, ...omitEmpty('role', role) }))
      .filter(({ name, role, email }) => name.trim() || role || email),
    faqs: content.faqs
      .map(({ question, answer }) => ({ question: omitBlank(question), answer: omitBlank(answer) }))
      .filter(({ question, answer }) => hasText(question) || hasText(answer)),
    dates: content.dates
      .map((entry) => {
        const { id: _, title, detail, ...date } = entry
        return { ...date, title: omitBlank(title), ...omitEmpty('detail', detail) }
      })
      .filter(({ title, detail }) => hasText(title) || detail),
  }
}

const omitBlank = (text: Translated): Translated => Object.fromEntries(Object.entries(text).filter(([, said]) => said.trim()))

function omitEmpty<Name extends string>(name: Name, text: Translated | undefined): { [Field in Name]?: Translated } {
  const kept = omitBlank(text ?? {})
  return (Object.keys(kept).length ? { [name]: kept } : {}) as { [Field in Name]?: Translated }
}

export const findDifferingContent = (before: ProjectContent, after: ProjectContent): (keyof ProjectContent)[] => {
  const [a, b] = [normaliseContent(before), normaliseContent(after)]
  return CONTENT_FIELDS.filter((name) => !isJsonEqual(a[name], b[name]))
}

/** A text that one of the site's languages lacks. */
export interface MissingProjectText {
  /** The name to waive it by: `faqs.0.answer.cy`. */
  name: string
  /** Steps into the content. */
  path: readonly [keyof ProjectContent, ...(string | number)[]]
  language: Language
}

/** Titles and summaries are needed in every language of the site, other texts if they exist in any. */
export function findMissingProjectTexts(content: ProjectContent, languages: readonly Language[]): MissingProjectText[] {
  const texts: { path: MissingProjectText['path']; text: Translated | undefined; isNeeded?: boolean }[] = [
    { path: ['titleTranslations'], text: content.titleTranslations, isNeeded: true },
    { path: ['summaryTranslations'], text: content.summaryTranslations, isNeeded: true },
    { path: ['bodyTranslations'], text: content.bodyTranslations },
    { path: ['outcomeTranslations'], text: content.outcomeTranslations },
    ...(content.picture ? [{ path: ['pictureAltTranslations'] as const, text: content.pictureAltTranslations }] : []),
    { path: ['place', 'address'], text: content.place?.address },
    ...content.team.map(({ role }, at) => ({ path: ['team', at, 'role'] as const, text: role })),
    ...content.faqs.flatMap(({ question, answer }, at) => [
      { path: ['faqs', at, 'question'] as const, text: question },
      { path: ['faqs', at, 'answer'] as const, text: answer },
    ]),
    ...content.dates.flatMap(({ title, detail }, at) => [
      { path: ['dates', at, 'title'] as const, text: title },
      { path: ['dates', at, 'detail'] as const, text: detail },
    ]),
  ]
  const isWritten = (text: Translated | undefined, language: Language) => Boolean(text?.[language]?.trim())
  return texts.flatMap(({ path, text, isNeeded }) =>
    isNeeded || languages.some((language) => isWritten(text, language))
      ? languages
          .filter((language) => !isWritten(text, language))
          .map((language) => ({ name: [...path, language].join('.').replace('Translations', ''), path, language }))
      : [],
  )
}
