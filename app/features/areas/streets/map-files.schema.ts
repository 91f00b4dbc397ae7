/** Of a map file, whether it is uploaded, downloaded or made from GeoJSON. */
export const MAX_MAP_BYTES = 20_000_000
/** A map does not get closer than this zoom of its tiles. */
export const MAX_MAP_ZOOM = 16
export const MAX_CREDIT_LETTERS = 200
export const MAX_ADDRESS_LETTERS = 500
