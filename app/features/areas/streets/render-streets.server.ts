import { escapeXml } from '#app/lib/escape-html.ts'
import { PICTURE_SIZE, type StreetName, type StreetPath } from '#app/lib/map-picture.ts'
import { createId } from '#app/lib/uuid.ts'

interface DrawnPicture {
  /** In units of half a unit of the picture, in the order of `STREET_KINDS`. */
  paths: readonly StreetPath[]
  names: readonly StreetName[]
}

/** What a picture shows of streets, water, parks and buildings, as SVG: browsers only show it, so they need no script for it. */
export function renderStreets({ paths, names }: DrawnPicture): string {
  // A page may show several pictures.
  const id = `s${createId().slice(-10)}-`
  const plain = paths.filter(({ casing }) => !casing)
  const cased = paths.filter(({ casing }) => casing)
  return [
    `<rect class="street-land" width="${PICTURE_SIZE.width}" height="${PICTURE_SIZE.height}"/><g transform="scale(.5)">`,
    ...plain.map(({ kind, path, width }) => `<path class="street-${kind}" d="${path}"${renderWidth(width)}/>`),
    '<defs>',
    ...cased.map(({ kind, path }) => `<path id="${id}${kind}" d="${path}"/>`),
    '</defs>',
    ...cased.map(({ kind, casing }) => `<use href="#${id}${kind}" class="street-casing"${renderWidth(casing)}/>`),
    ...cased.map(({ kind, width }) => `<use href="#${id}${kind}" class="street-${kind}"${renderWidth(width)}/>`),
    '</g>',
    ...groupNames(names).map(([group, members]) => `<g class="street-name ${group}">${members.map(renderName).join('')}</g>`),
  ].join('')
}

const renderWidth = (width: number | undefined) => (width === undefined ? '' : ` stroke-width="${width}"`)

const renderName = ({ name, spot: [x, y], turned }: StreetName) =>
  `<text transform="translate(${x} ${y})${turned ? `rotate(${turned})` : ''}">${escapeXml(name)}</text>`

/** Names that look alike stand together, so that their look is said once. */
function groupNames(names: readonly StreetName[]): [group: string, members: StreetName[]][] {
  const groups = new Map<string, StreetName[]>()
  for (const name of names) {
    const group = `street-name-${name.kind} street-name-${name.fits}`
    const found = groups.get(group)
    if (found) found.push(name)
    else groups.set(group, [name])
  }
  return [...groups]
}
