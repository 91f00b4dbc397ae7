import { useId } from 'react'
import { PICTURE_SIZE, type StreetName, type StreetPath, type StreetPicture } from '#app/lib/map-picture.ts'

/** Streets, water, parks and buildings, drawn by the server, with as many names as there is room for. */
export function MapStreets({ streets: { paths, names } }: { streets: StreetPicture }) {
  const id = useId()
  const cased = paths.filter(({ casing }) => casing)
  return (
    <g className="streets">
      <rect className="street-land" width={PICTURE_SIZE.width} height={PICTURE_SIZE.height} />
      <g transform="scale(.5)">
        {paths.filter(({ casing }) => !casing).map(drawPath)}
        <defs>
          {cased.map(({ kind, path }) => (
            <path key={kind} id={id + kind} d={path} />
          ))}
        </defs>
        {cased.map(({ kind, casing }) => (
          <use key={kind} href={`#${id}${kind}`} className="street-casing" strokeWidth={casing} />
        ))}
        {cased.map(({ kind, width }) => (
          <use key={kind} href={`#${id}${kind}`} className={`street-${kind}`} strokeWidth={width} />
        ))}
      </g>
      {groupNames(names).map(([group, members]) => (
        <g key={group} className={`street-name ${group}`}>
          {members.map(({ name, spot: [x, y], turned }) => (
            <text key={`${x} ${y}`} transform={`translate(${x} ${y})${turned ? `rotate(${turned})` : ''}`}>
              {name}
            </text>
          ))}
        </g>
      ))}
    </g>
  )
}

const drawPath = ({ kind, path, width }: StreetPath) => <path key={kind} className={`street-${kind}`} d={path} strokeWidth={width} />

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
