import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { MapPoint } from '#app/ui/map-picture.tsx'
import { deskEntryQuery } from '../contributions.queries.ts'
import type { DeskSearch } from '../desk/desk-search.ts'
import { MapPicture, MapShape } from '../places/MapPicture.tsx'
import { useSizeText } from '../places/use-size-text.ts'

interface PublicFactsProps {
  id: string
  search: DeskSearch
  contribution: { supports: number; disagrees: number }
}

/** What everybody sees of a contribution besides its words: who, where, about what, how many support it and what the team says. */
export function PublicFacts({ id, search, contribution: { supports, disagrees } }: PublicFactsProps) {
  const { t } = useTranslation('contributions-admin')
  const { t: words } = useTranslation('contributions')
  const format = useFormat()
  const describeSize = useSizeText()
  const { author, place, categories, status, map, path } = useSuspenseQuery(deskEntryQuery(id, search)).data
  return (
    <section className="admin-panel public-facts" aria-labelledby="public-facts">
      <div>
        <h2 id="public-facts">{t('desk.public')}</h2>
        <DefinitionList
          items={[
            { term: t('desk.from'), value: author || t('desk.anonymous') },
            ...(place ? [{ term: t('desk.where'), value: place }] : []),
            ...(categories.length > 0 ? [{ term: t('desk.category'), value: format.list(categories) }] : []),
            ...(status ? [{ term: t('desk.status'), value: status }] : []),
            { term: t('queue.supports'), value: format.number(supports) },
            ...(disagrees > 0 ? [{ term: t('desk.disagrees'), value: format.number(disagrees) }] : []),
          ]}
        />
      </div>
      {map && (
        <figure>
          <MapPicture
            picture={map}
            label={[map.drawn && describeSize(map.drawn), place].filter(Boolean).join(', ') || words('places.point')}
          >
            {map.drawn && <MapShape drawn={map.drawn} />}
            <MapPoint spot={map.spot} />
          </MapPicture>
          {path && (
            <figcaption>
              <a href={toLocalHref(`${path.replace(/\/\d+$/, '')}?bbox=${map.box}#map`)}>{words('places.see-map')}</a>
            </figcaption>
          )}
        </figure>
      )}
    </section>
  )
}
