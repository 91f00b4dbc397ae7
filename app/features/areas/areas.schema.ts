/** An area of the site as people choose it. */
export interface AreaView {
  id: string
  slug: string
  name: string
}

export interface AreaFacet extends AreaView {
  /** Projects in it that the viewer is shown. */
  count: number
}

/** Where somebody says that they live. */
export interface HomeArea {
  areas: AreaView[]
  chosen: string | null
  /** Whether a postcode tells the area. */
  byPostcode: boolean
}

export const MOST_AREAS = 500
