import { escapeXml } from '#app/lib/escape-html.ts'
import { PICTURE_SIZE } from '#app/lib/map-picture.ts'
import type { ReportMap } from './report.schema.ts'

const FONT = 'Source Serif 4, Source Serif X, Georgia, serif'
const [LAND, WATER, GREEN, TEXT] = ['#f4f0e7', '#b4d5e3', '#d3e6d4', '#453f34']

/** The look of streets on the screen (`ui/styles/streets.css`), in what typesetters read: no variables, no mixed colours, fixed sizes of letters. */
const STREET_STYLE = [
  '.streets{stroke-linecap:round;stroke-linejoin:round}',
  `.street-land{fill:${LAND}}`,
  `.street-green{fill:${GREEN};fill-rule:evenodd}`,
  `.street-water{fill:${WATER};fill-rule:evenodd}`,
  '.street-building{fill:#e2d9c9;fill-rule:evenodd}',
  '.street-stream,.street-rail,.street-path,.street-casing,.street-lane,.street-street,.street-main,.street-major{fill:none}',
  `.street-stream{stroke:${WATER}}`,
  '.street-rail{stroke:#a39e93;stroke-dasharray:14 6;stroke-linecap:butt}',
  '.street-path{stroke:#8fa890;stroke-dasharray:7 6}',
  '.street-casing{stroke:#c9bfac}',
  // Streets too narrow for an edge would be white on nearly white paper.
  '.street-lane,.street-street{stroke:#d8cfbe}',
  'use.street-lane,use.street-street{stroke:#fff}',
  '.street-main,.street-major{stroke:#f3cf78}',
  `.street-name{fill:${TEXT};stroke:#fffdf8;stroke-width:2.5;paint-order:stroke;font-family:${FONT};font-size:10px;text-anchor:middle}`,
  '.street-name-main{font-size:11px;font-weight:600}',
  '.street-name-water{fill:#1d5a73;stroke:none;font-size:11px}',
  `.street-name-green{fill:#24592f;stroke:${GREEN}}`,
  '.street-name-place{font-size:12px}',
  '.street-name-town{font-size:15px;font-weight:600}',
  '.street-name-narrow{display:none}',
].join('')

/** Removes the random start of ids: it keeps maps on one page apart, but would make two files of the same map differ. */
const nameLinesAlike = (streets: string): string => streets.replaceAll(/(id="|href="#)s[\da-z]+-/g, '$1')

/** Letters stand on their line in print, and around it in `renderStreets`. */
const lowerNames = (streets: string): string => streets.replaceAll('<text transform=', '<text dy="3.5" transform=')

/**
 * A map to print: streets if the site has a map file, areas with their names, and squares with their numbers. It has its colours with it, since nothing
 * on paper has a style sheet.
 */
export function drawSquares({ picture, squares }: Pick<ReportMap, 'picture' | 'squares'>, color: string): string {
  const { width, height } = PICTURE_SIZE
  const { streets } = picture
  const text = (x: number, y: number, size: number, words: string, fill: string) =>
    `<text x="${x}" y="${y}" font-family="${FONT}" font-size="${size}" text-anchor="middle" fill="${fill}"${streets ? ' stroke="#fffdf8" stroke-width="3" paint-order="stroke"' : ''}>${escapeXml(words)}</text>`
  const area = streets ? `fill="none" stroke="${color}" stroke-opacity="0.6" stroke-dasharray="7 5"` : `fill="#f1ece1" stroke="#8a857a"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    streets
      ? `<style>${STREET_STYLE}</style><g class="streets">${lowerNames(nameLinesAlike(streets))}</g>`
      : `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...picture.outlines.map((path) => `<path d="${escapeXml(path)}" ${area} stroke-width="1"/>`),
    ...picture.labels.map(({ name, spot: [x, y] }) => text(x, y, 13, name, TEXT)),
    ...squares.flatMap(({ corners, text: number }) => {
      if (!corners) return []
      const [[west, south], [east, north]] = corners
      const size = { width: Math.max(1, east - west), height: Math.max(1, south - north) }
      return [
        `<rect x="${west}" y="${north}" width="${size.width}" height="${size.height}" fill="${color}" fill-opacity="0.25" stroke="${color}" stroke-width="1.5"/>`,
        text(west + size.width / 2, north + size.height / 2 + 4, 12, number, '#16202a'),
      ]
    }),
    '</svg>',
  ].join('')
}
