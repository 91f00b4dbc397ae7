interface Place {
  lat: number | null
  lng: number | null
}

const WIDTH = 400
const HEIGHT = 300
const MARGIN = 48

/** Projects the places with known coordinates onto a 400 × 300 map with north at the top, each with its number in the list. */
export function layOutPlaces(places: readonly Place[]): { number: number; x: number; y: number }[] {
  const known = places.flatMap(({ lat, lng }, at) => (lat === null || lng === null ? [] : [{ number: at + 1, lat, lng }]))
  if (!known.length) return []
  // A degree of longitude gets shorter towards the poles.
  const shrink = Math.cos((known.reduce((sum, { lat }) => sum + lat, 0) / known.length) * (Math.PI / 180))
  const east = known.map(({ lng }) => lng * shrink)
  const north = known.map(({ lat }) => lat)
  const [west, south] = [Math.min(...east), Math.min(...north)]
  const [width, height] = [Math.max(...east) - west, Math.max(...north) - south]
  const scale = Math.min((WIDTH - 2 * MARGIN) / (width || 1e-6), (HEIGHT - 2 * MARGIN) / (height || 1e-6), 1e6)
  return known.map(({ number }, at) => ({
    number,
    x: Math.round(WIDTH / 2 + ((east[at] ?? 0) - west - width / 2) * scale),
    y: Math.round(HEIGHT / 2 - ((north[at] ?? 0) - south - height / 2) * scale),
  }))
}
