import type { PictureAttributes } from '#app/lib/picture-address.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'

export interface HubCardView {
  id: string
  slug: string
  title: LocalisedText
  summary: LocalisedText
  picture: PictureAttributes | null
  openProjects: number
  projects: number
}

export interface HubView extends HubCardView {
  body: LocalisedText
  pictureAlt: LocalisedText
  contactEmail: string | null
}

interface HubTexts {
  title: Translated
  summary: Translated
  body: Translated
  picture: string | null
  pictureAlt: Translated
}

/** The texts of a department's page. */
export const listHubTexts = ({ title, summary, body, picture, pictureAlt }: HubTexts): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: 120 },
  { pointer: '/summaryTranslations', text: summary, format: 'text', max: 400 },
  { pointer: '/bodyTranslations', text: body, format: 'rich', max: 20_000 },
  ...(picture ? [{ pointer: '/pictureAltTranslations', text: pictureAlt, isAlternative: true, max: 300 }] : []),
]

export const listTopicTexts = ({ title }: { title: Translated }): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: 120 },
]
