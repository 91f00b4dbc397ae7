import * as v from 'valibot'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { PictureAttributes } from '#app/lib/picture-address.ts'
import { toSafeHref } from '#app/lib/rich-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'

/**
 * A field of a block. One declaration provides storage and validation, the localised value for the page, the editor's form and the list of
 * missing translations.
 */
export interface Field<Stored = unknown, Shown = unknown> {
  readonly kind: string
  readonly schema: v.GenericSchema<unknown, Stored>
  /** Initial value in a new block. */
  readonly empty: Stored
  /** Converts the stored value into what the page shows. */
  show(stored: Stored, words: (text: Translated) => LocalisedText): Shown
}

export type Fields = Readonly<Record<string, Field>>
export type StoredOf<F extends Fields> = { -readonly [K in keyof F]: F[K] extends Field<infer Stored, never> ? Stored : F[K]['empty'] }
export type ShownOf<F extends Fields> = { -readonly [K in keyof F]: ReturnType<F[K]['show']> }

export interface TextField extends Field<Translated, LocalisedText> {
  readonly kind: 'line' | 'text' | 'rich'
  readonly max: number
  readonly rows: number
}

const createTextField = (kind: TextField['kind'], max: number, rows: number): TextField => ({
  kind,
  max,
  rows,
  schema: v.optional(createTranslatedSchema(max), {}),
  empty: {},
  show: (stored, words) => words(stored),
})
/** One line of text in each language. */
export const line = (max = 160) => createTextField('line', max, 1)
/** A few lines of text in each language. */
export const text = (max = 600) => createTextField('text', max, 3)
/** Rich text with headings, lists and links, in each language. */
export const rich = (max = 20_000) => createTextField('rich', max, 10)

export interface Picture {
  /** Path of a file of this site. */
  file: string
  alt: Translated
  /** Purely decorative: needs no alternative text. */
  decorative: boolean
}
export interface PictureView {
  file: string
  /** Other sizes and focal point, for pictures of the library. Absent in drafts. */
  srcSet?: string | undefined
  style?: PictureAttributes['style'] | undefined
  alt: LocalisedText
}
const ownFileSchema = v.pipe(v.string(), v.maxLength(300), v.regex(/^\/(?!\/)[\w./-]+$/, 'wrong-format'))

export interface PictureField extends Field<Picture | null, PictureView | null> {
  readonly kind: 'picture'
}
export const picture = (): PictureField => ({
  kind: 'picture',
  schema: v.nullish(
    v.object({ file: ownFileSchema, alt: v.optional(createTranslatedSchema(300), {}), decorative: v.optional(v.boolean(), false) }),
    null,
  ),
  empty: null,
  show: (stored, words) => stored && { file: stored.file, alt: stored.decorative ? { text: '' } : words(stored.alt) },
})

export interface Action {
  label: Translated
  href: string
}
export interface ActionView {
  label: LocalisedText
  href: string
}
export const hrefSchema = v.pipe(
  v.string(),
  v.maxLength(500),
  v.check((value) => toSafeHref(value) !== undefined, 'not-a-link'),
)
export interface ActionField extends Field<Action | null, ActionView | null> {
  readonly kind: 'action'
}
/** A button with a link. */
export const action = (): ActionField => ({
  kind: 'action',
  schema: v.nullish(v.object({ label: createTranslatedSchema(60), href: hrefSchema }), null),
  empty: null,
  show: (stored, words) => stored && { label: words(stored.label), href: stored.href },
})

const showUnchanged = <T>(stored: T): T => stored

export interface ChoiceField<Option extends string = string> extends Field<Option, Option> {
  readonly kind: 'choice'
  readonly options: readonly Option[]
}
/** One of a few options; the first by default. */
export const choice = <const Options extends readonly [string, ...string[]]>(options: Options): ChoiceField<Options[number]> => ({
  kind: 'choice',
  options,
  schema: v.optional(v.picklist(options), options[0]),
  empty: options[0],
  show: showUnchanged,
})

export interface ChoicesField<Option extends string = string> extends Field<Option[], Option[]> {
  readonly kind: 'choices'
  readonly options: readonly Option[]
}
export const choices = <const Options extends readonly [string, ...string[]]>(options: Options): ChoicesField<Options[number]> => ({
  kind: 'choices',
  options,
  schema: v.optional(v.pipe(v.array(v.picklist(options)), v.maxLength(options.length)), []),
  empty: [],
  show: showUnchanged,
})

export interface NumberField extends Field<number, number> {
  readonly kind: 'number'
  readonly min: number
  readonly max: number
}
export const number = (min: number, max: number, empty: number): NumberField => ({
  kind: 'number',
  min,
  max,
  schema: v.optional(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), empty),
  empty,
  show: showUnchanged,
})

/** A reference by id to something on the site, which is looked up when the page is shown. */
export interface ReferenceField extends Field<string | null, string | null> {
  readonly kind: 'project' | 'survey' | 'dataset'
}
export const reference = (kind: ReferenceField['kind']): ReferenceField => ({
  kind,
  schema: v.nullish(idSchema, null),
  empty: null,
  show: showUnchanged,
})
export interface ReferencesField extends Field<string[], string[]> {
  readonly kind: 'projects'
}
export const references = (max = 12): ReferencesField => ({
  kind: 'projects',
  schema: v.optional(v.pipe(v.array(idSchema), v.maxLength(max)), []),
  empty: [],
  show: showUnchanged,
})

/** A question with figures, as `<survey>:<question>`, of the project that the page reports on. */
export interface QuestionField extends Field<string | null, string | null> {
  readonly kind: 'question'
  /** Offers only questions whose answers are groups of people. */
  readonly isGrouping: boolean
}
export const question = ({ isGrouping = false } = {}): QuestionField => ({
  kind: 'question',
  isGrouping,
  schema: v.nullish(v.pipe(v.string(), v.maxLength(100), v.regex(/^[\da-f-]{36}:[^:]+$/, 'wrong-format')), null),
  empty: null,
  show: showUnchanged,
})

/** A theme of that project, and passages to quote, by their ids. */
export interface ThemeChoice {
  theme: string
  quotes: string[]
}
export interface ThemeField extends Field<ThemeChoice | null, ThemeChoice | null> {
  readonly kind: 'theme'
}
const MAX_QUOTES = 20
export const theme = (): ThemeField => ({
  kind: 'theme',
  schema: v.nullish(v.object({ theme: idSchema, quotes: v.optional(v.pipe(v.array(idSchema), v.maxLength(MAX_QUOTES)), []) }), null),
  empty: null,
  show: showUnchanged,
})

/** A string that is the same in every language. */
export interface PlainField extends Field<string, string> {
  readonly kind: 'plain' | 'address' | 'email' | 'phone' | 'day'
}
const webAddressSchema = v.union([
  v.literal(''),
  v.pipe(
    v.string(),
    v.maxLength(500),
    v.check((value) => value.startsWith('https://') && URL.canParse(value), 'not-a-link'),
  ),
])
const PLAIN_SCHEMAS: Record<PlainField['kind'], v.GenericSchema<unknown, string>> = {
  plain: v.pipe(v.string(), v.maxLength(600)),
  address: webAddressSchema,
  email: v.union([v.literal(''), v.pipe(v.string(), v.email('not-an-email'), v.maxLength(254))]),
  phone: v.union([v.literal(''), v.pipe(v.string(), v.maxLength(40), v.regex(/^[+\d][\d\s().-]*$/, 'wrong-format'))]),
  day: v.union([v.literal(''), v.pipe(v.string(), v.isoDate('not-a-date'))]),
}
export const plain = (kind: PlainField['kind'] = 'plain'): PlainField => ({
  kind,
  schema: v.optional(PLAIN_SCHEMAS[kind], ''),
  empty: '',
  show: showUnchanged,
})

export interface LanguageField extends Field<ContentLanguage, ContentLanguage> {
  readonly kind: 'language'
}
/** The language that a quote was spoken in. */
export const language = (): LanguageField => ({ kind: 'language', schema: contentLanguageSchema, empty: 'en', show: showUnchanged })

const itemIdSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(60))

export interface ListField<F extends Fields = Fields> extends Field<({ id: string } & StoredOf<F>)[], ({ id: string } & ShownOf<F>)[]> {
  readonly kind: 'list'
  readonly fields: F
  readonly max: number
}
/** A list of items with the same fields, ordered by the editor. */
export const list = <F extends Fields>(fields: F, max: number): ListField<F> => ({
  kind: 'list',
  fields,
  max,
  schema: v.optional(
    v.pipe(v.array(v.object({ id: itemIdSchema, ...collectSchemas(fields) })), v.maxLength(max)),
    [],
  ) as unknown as v.GenericSchema<unknown, ({ id: string } & StoredOf<F>)[]>,
  empty: [],
  show: (stored, words) => stored.map((item) => ({ id: item.id, ...showFields(fields, item, words) })),
})

export const collectSchemas = (fields: Fields): Record<string, v.GenericSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]))

export function showFields<F extends Fields>(fields: F, stored: StoredOf<F>, words: (text: Translated) => LocalisedText): ShownOf<F> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.show((stored as Record<string, unknown>)[name], words)]),
  ) as ShownOf<F>
}

/** Union of all fields, discriminated by `kind`. */
export type AnyField =
  | TextField
  | PictureField
  | ActionField
  | ChoiceField
  | ChoicesField
  | NumberField
  | ReferenceField
  | ReferencesField
  | QuestionField
  | ThemeField
  | PlainField
  | LanguageField
  | ListField
