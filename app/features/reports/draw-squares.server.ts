import { escapeXml } from '#app/lib/escape-html.ts'
import { PICTURE_SIZE } from '#app/lib/map-picture.ts'
import type { ReportMap } from './report.schema.ts'

/** A map to print: areas with their names, and squares with their numbers. It has its colours with it, since nothing on paper has a style sheet. */
export function drawSquares({ picture, squares }: Pick<ReportMap, 'picture' | 'squares'>, color: string): string {
  const { width, height } = PICTURE_SIZE
  const text = (x: number, y: number, size: number, words: string, fill: string) =>
    `<text x="${x}" y="${y}" font-family="Source Serif 4, Source Serif X, Georgia, serif" font-size="${size}" text-anchor="middle" fill="${fill}">${escapeXml(words)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...picture.outlines.map((path) => `<path d="${escapeXml(path)}" fill="#f1ece1" stroke="#8a857a" stroke-width="1"/>`),
    ...picture.labels.map(({ name, spot: [x, y] }) => text(x, y, 13, name, '#453f34')),
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
