export interface AreaView {
  id: string
  slug: string
  name: string
}

/** An area missing from its source, and what on the site still uses it. */
export interface LostArea extends AreaView {
  /** Titles of projects in it. */
  projects: string[]
  /** Number of people who said they live in it. */
  people: number
  /** Names of newsletters and text message campaigns that target it. */
  campaigns: string[]
}

export interface AreaFacet extends AreaView {
  /** Projects in it that the viewer can see. */
  count: number
}

export interface HomeArea {
  areas: AreaView[]
  chosen: string | null
  /** True if they agree to get news chosen by area. */
  forNews: boolean
  /** True if the area can be looked up by postcode. */
  byPostcode: boolean
}

export const MAX_AREAS = 500
