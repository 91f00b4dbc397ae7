import { readActivitySettings } from '../kinds/kinds.ts'
import { OPEN_FORMATS, type OpenFormat } from './activity-export.schema.ts'

/** Formats of an activity's open data. `geojson` only if its contributions have places. */
export const listOpenFormats = (activity: { kind: string; settings: unknown }): readonly OpenFormat[] =>
  OPEN_FORMATS.filter((format) => format !== 'geojson' || readActivitySettings(activity).tools.places)
