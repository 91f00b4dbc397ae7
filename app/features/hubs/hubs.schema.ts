import type { PictureAttributes } from '#app/lib/picture-address.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'

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
