import type { Spot } from '#app/lib/map-picture.ts'

interface MapSquaresProps {
  squares: readonly { corners: readonly [Spot, Spot] | null; text: string }[]
}

/** Squares of a map with what was counted in them. The table beside the map says the same. */
export const MapSquares = ({ squares }: MapSquaresProps) => (
  <g aria-hidden="true">
    {squares.map(({ corners, text }, at) =>
      corners ? (
        <g key={at}>
          <rect
            className="area-map-square"
            x={corners[0][0]}
            y={corners[1][1]}
            width={Math.max(1, corners[1][0] - corners[0][0])}
            height={Math.max(1, corners[0][1] - corners[1][1])}
          />
          <text className="area-map-square-count" x={(corners[0][0] + corners[1][0]) / 2} y={(corners[0][1] + corners[1][1]) / 2}>
            {text}
          </text>
        </g>
      ) : null,
    )}
  </g>
)
