import * as v from 'valibot'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
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

/** Titles and summaries are needed in every language of the site, other texts if they exist in any. */
export const listProjectTexts = (content: ProjectContent): TranslatedText[] => [
  { pointer: '/titleTranslations', text: content.titleTranslations, isNeeded: true, max: 200 },
  { pointer: '/summaryTranslations', text: content.summaryTranslations, isNeeded: true, format: 'text', max: 600 },
  { pointer: '/bodyTranslations', text: content.bodyTranslations, format: 'rich', max: 40_000 },
  { pointer: '/outcomeTranslations', text: content.outcomeTranslations, format: 'rich', max: 40_000 },
  ...(content.picture ? [{ pointer: '/pictureAltTranslations', text: content.pictureAltTranslations, max: 300 }] : []),
  { pointer: '/place/address', text: content.place?.address },
  ...content.team.map(({ role }, at) => ({ pointer: `/team/${at}/role`, text: role })),
  ...content.faqs.flatMap(({ question, answer }, at): TranslatedText[] => [
    { pointer: `/faqs/${at}/question`, text: question },
    { pointer: `/faqs/${at}/answer`, text: answer, format: 'rich' },
  ]),
  ...content.dates.flatMap(({ title, detail }, at) => [
    { pointer: `/dates/${at}/title`, text: title },
    { pointer: `/dates/${at}/detail`, text: detail },
  ]),
]
