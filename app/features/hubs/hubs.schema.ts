import type { PictureAttributes } from '#app/lib/picture-address.ts'
import type { Words } from '#app/lib/words.ts'

/** A hub as a card shows it. */
export interface HubCardView {
  id: string
  slug: string
  title: Words
  summary: Words
  picture: PictureAttributes | null
  openProjects: number
  projects: number
}

export interface HubView extends HubCardView {
  body: Words
  pictureAlt: Words
  contactEmail: string | null
}
