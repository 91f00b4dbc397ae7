/** An area of the site as people choose it. */
export interface AreaView {
  id: string
  slug: string
  name: string
}

/** An area that its source no longer has, and what holds it on the site. */
export interface LostArea extends AreaView {
  /** Titles of the projects that lie in it. */
  projects: string[]
  /** People who say that they live in it. */
  people: number
  /** Names of newsletters and campaigns by text that are to go to it. */
  campaigns: string[]
}

export interface AreaFacet extends AreaView {
  /** Projects in it that the viewer is shown. */
  count: number
}

/** Where somebody says that they live. */
export interface HomeArea {
  areas: AreaView[]
  chosen: string | null
  /** Whether they agree that news is chosen by it. */
  forNews: boolean
  /** Whether a postcode tells the area. */
  byPostcode: boolean
}

export const MAX_AREAS = 500
