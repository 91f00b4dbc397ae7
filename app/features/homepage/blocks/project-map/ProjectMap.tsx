import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { Text } from '#app/ui/text.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'
import { layOutPlaces } from './map-layout.ts'

/** The list holds all the information; the map beside it shows relative positions, numbered as in the list. */
export default function ProjectMap({ block }: BlockProps<'project_map'>) {
  const { t } = useTranslation('participant')
  const { places } = block.data
  const pins = layOutPlaces(places)
  return (
    <BlockSection id={block.id} title={block.title} fallback={t('home.map')}>
      <div className="projects-map">
        <ol className="projects-map-list">
          {places.map((place) => (
            <li key={place.id}>
              <Link to="/projects/$slug" params={{ slug: place.slug }} lang={place.title.lang} dir={getDirection(place.title.lang)}>
                {place.title.text}
              </Link>
              <span>
                <Text words={place.address} />
              </span>
            </li>
          ))}
        </ol>
        {pins.length > 1 && (
          <svg className="projects-map-drawing" viewBox="0 0 400 300" aria-hidden="true">
            <path d="M0 75h400M0 150h400M0 225h400M100 0v300M200 0v300M300 0v300" />
            {pins.map(({ number, x, y }) => (
              <g key={number} transform={`translate(${x} ${y})`}>
                <path d="M0 0-9-12a13 13 0 1 1 18 0Z" />
                <text y="-17" textAnchor="middle">
                  {number}
                </text>
              </g>
            ))}
          </svg>
        )}
      </div>
    </BlockSection>
  )
}
