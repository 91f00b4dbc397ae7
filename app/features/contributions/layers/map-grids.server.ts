import proj4 from 'proj4'
import type { MapGrid } from '#app/lib/geometry.ts'

/**
 * The British National Grid (EPSG:27700) with the seven parameters that Ordnance Survey publishes: right to about 5 metres. Statistics Canada
 * Lambert (EPSG:3347) lies on NAD 83, which is taken for WGS 84: they differ by less than 2 metres.
 */
const DEFINITIONS: Record<MapGrid, string> = {
  'british-grid':
    '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy ' +
    '+towgs84=446.448,-125.157,542.06,0.1502,0.247,0.8421,-20.4894 +units=m +no_defs',
  'canada-lambert':
    '+proj=lcc +lat_0=63.390675 +lon_0=-91.8666666666667 +lat_1=49 +lat_2=77 +x_0=6200000 +y_0=3000000 +ellps=GRS80 ' +
    '+towgs84=0,0,0,0,0,0,0 +units=m +no_defs',
}

/** @returns a function from easting and northing in metres to longitude and latitude in degrees of WGS 84 */
export function createConverter(grid: MapGrid): (east: number, north: number) => [lng: number, lat: number] {
  const { forward } = proj4(DEFINITIONS[grid], 'EPSG:4326')
  return (east, north) => {
    const [lng = Number.NaN, lat = Number.NaN] = forward([east, north])
    return [lng, lat]
  }
}
