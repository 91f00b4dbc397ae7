import type { FoundOnMap } from './find-on-map.server.ts'

/** "Mill Lane, Old Town": the area tells streets of the same name apart. */
export const describeFoundName = ({ name, note }: Pick<FoundOnMap, 'name' | 'note'>): string =>
  note && !name.includes(note) ? `${name}, ${note}` : name
