import { TRANSLATABLE_TYPES, type TranslatableType, type TranslatedTexts } from '#app/lib/vocabulary/contributions.ts'

/** Texts that one page shows translated at most; its address names each. */
const MAX_SHOWN_TRANSLATIONS = 40

/** A text that a reader can have translated, as the buttons of the page's form name it. */
export interface TranslatableView {
  type: TranslatableType
  id: string
  /** Its translation, if the reader asked to see it. */
  shown: TranslationView | null
}

export interface TranslationView {
  texts: TranslatedTexts
  service: string
  /** The team in whose name it was corrected; null for a machine's. */
  correctedBy: string | null
}

/** The texts of a page that are in another language than it, by id. Only those that can be translated. */
export type PageTranslations = Readonly<Record<string, TranslatableView>>

/** The name of what a photo shows, among the texts of its contribution. */
export const buildPhotoPart = (id: string): string => `photos.${id}`
export const isPhotoPart = (part: string): boolean => part.startsWith('photos.')

/** The value of the button that asks for a translation. */
export const buildAskedValue = ({ type, id }: Pick<TranslatableView, 'type' | 'id'>): string => `${type}.${id}`

export function parseAskedValue(value: string): Pick<TranslatableView, 'type' | 'id'> | undefined {
  const [first, id] = value.split('.')
  const type = TRANSLATABLE_TYPES.find((one) => one === first)
  return type && id ? { type, id } : undefined
}

/** Where on the page a text's translation begins. */
export const buildTranslationAnchor = (id: string): string => `translation-${id}`

/** Reads and writes the address's list of texts that are shown translated. */
export const parseShown = (shown: string | undefined): string[] => (shown ? shown.split('_').slice(0, MAX_SHOWN_TRANSLATIONS) : [])
export const addShown = (shown: string | undefined, id: string): string =>
  [id, ...parseShown(shown).filter((one) => one !== id)].slice(0, MAX_SHOWN_TRANSLATIONS).join('_')
export const removeShown = (shown: string | undefined, id: string): string | undefined =>
  parseShown(shown)
    .filter((one) => one !== id)
    .join('_') || undefined
