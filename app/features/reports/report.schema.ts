import type { Figure } from '#app/lib/figure-definitions.ts'
import type { MapPicture, Spot } from '#app/lib/map-picture.ts'
import type { DocumentChart, Term } from '#app/server/documents/document.schema.ts'
import type { ReportSection } from './report.search.ts'

/** A cell as people read it and as a spreadsheet computes with it. */
export interface ReportCell {
  text: string
  value: string | number | null
  /** Of a page of the site that the cell names. */
  href?: string
  /** A share from 0 to 1, drawn as a bar too. */
  part?: number
}

export interface ReportTable {
  kind: 'table'
  caption: string
  heads: string[]
  /** The first cell names its row. */
  rows: ReportCell[][]
  hasTotal?: boolean
  /** As in documents. */
  textColumns?: number
  /** On a screen, the caption is shown. On paper it always is. */
  hasShownCaption?: boolean
  /** The table of the chart before it. */
  isOfChart?: boolean
}

export interface ReportChart extends DocumentChart {
  /** Of columns: what they stand for, and the series that add up to their values. */
  pointHead?: string
  series?: { name: string; values: number[] }[]
}

/** A map with squares. The table that follows says the same. */
export interface ReportMap {
  kind: 'map'
  caption: string
  /** Says what the map shows to people who cannot see it. */
  alternative: string
  picture: MapPicture
  squares: { corners: readonly [Spot, Spot] | null; text: string }[]
  /** The whole map, for a page without the styles of maps. */
  svg?: string
}

export type ReportBlock =
  | { kind: 'lead' | 'text' | 'note' | 'heading'; text: string }
  | { kind: 'terms'; terms: Term[] }
  | ReportTable
  | ReportChart
  | ReportMap

export interface ReportPart {
  id: ReportSection
  heading: string
  blocks: ReportBlock[]
  /** What its figures count. */
  figures: Figure[]
}

/** A report in one language: the page, the documents and the tables are made from it, so that they say the same. */
export interface ReportView {
  title: string
  /** The period in words. */
  subtitle: string
  /** The period is still running, projects are hidden from the viewer. */
  remarks: string[]
  /** Titles of the projects it is about. */
  projects: string[]
  parts: ReportPart[]
  smallPrint: string
  /** Groups that its surveys can be compared by. */
  groupChoices: { value: string; label: string }[]
  /** Without it, there are no PDFs. */
  canTypeset: boolean
}
