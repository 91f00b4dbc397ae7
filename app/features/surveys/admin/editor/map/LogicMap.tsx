import { useTranslation } from 'react-i18next'
import { Notice } from '#app/ui/notice.tsx'
import { countQuestions, listQuestions } from '#app/features/surveys/questionnaire/answers.ts'
import type { Definition } from '../../../surveys.schema.ts'
import { type ConditionWords, useConditionWords } from '../logic/use-condition-words.ts'
import { layOutSurveyMap, type SurveyMap } from './map-layout.ts'

interface LogicMapProps {
  definition: Definition
  onSelect: (id: string) => void
}

/** The paths through a survey: as a drawing, and as an equivalent table with a link to each page. */
export function LogicMap({ definition, onSelect }: LogicMapProps) {
  const { t } = useTranslation('survey-admin')
  const words = useConditionWords()
  const map = layOutSurveyMap(definition)
  const nameOf = (id: string) => formatNodeName(definition, words, id, t('map.end'))
  const ruled = new Set(map.lines.flatMap(({ way }) => (way.when ? [way.from] : [])))
  const lost = map.nodes.filter((node) => !node.isReached && node.kind !== 'end')
  return (
    <section className="panel logic-map" aria-labelledby="logic-map">
      <h2 id="logic-map">{t('map.title')}</h2>
      {lost.length > 0 && (
        <Notice kind="warning" title={t('map.lost')}>
          <ul className="fault-list">
            {lost.map(({ id }) => (
              <li key={id}>
                <button type="button" className="link-button" onClick={() => onSelect(id)}>
                  {nameOf(id)}
                </button>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="logic-map-parts">
        <div className="logic-map-drawing">
          <MapDrawing map={map} definition={definition} nameOf={nameOf} label={t('map.drawing')} />
        </div>
        <div className="data-scroll">
          <table className="admin-table">
            <caption>{t('map.table')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('map.number')}</th>
                <th scope="col">{t('map.from')}</th>
                <th scope="col">{t('map.when')}</th>
                <th scope="col">{t('map.to')}</th>
              </tr>
            </thead>
            <tbody>
              {map.lines.map(({ way, number }) => (
                <tr key={`${way.from} ${way.kind} ${number} ${way.to}`}>
                  <td>{number}</td>
                  <th scope="row">
                    <button type="button" className="link-button" onClick={() => onSelect(way.from)}>
                      {nameOf(way.from)}
                    </button>
                  </th>
                  <td>
                    {way.when
                      ? way.kind === 'skip'
                        ? t('map.skipped', { rule: words.sentence(way.when, definition) })
                        : words.sentence(way.when, definition)
                      : t(ruled.has(way.from) ? 'map.otherwise' : 'map.always')}
                  </td>
                  <td>
                    {way.to === '' ? (
                      nameOf('')
                    ) : (
                      <button type="button" className="link-button" onClick={() => onSelect(way.to)}>
                        {nameOf(way.to)}
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  )
}

function formatNodeName(definition: Definition, words: ConditionWords, id: string, end: string): string {
  if (id === '') return end
  return definition.pages.some((page) => page.id === id) ? words.pageName(definition, id) : words.endingName(definition, id)
}

const BOX_LAYOUT = { left: 26, width: 250, height: 46, gap: 34 }
const TRACK_WIDTH = 24

interface MapDrawingProps {
  map: SurveyMap
  definition: Definition
  nameOf: (id: string) => string
  label: string
}

/** Boxes from top to bottom; lines that skip a box run beside it. The table is the accessible alternative. */
function MapDrawing({ map, definition, nameOf, label }: MapDrawingProps) {
  const { t } = useTranslation('survey-admin')
  const step = BOX_LAYOUT.height + BOX_LAYOUT.gap
  const right = BOX_LAYOUT.left + BOX_LAYOUT.width
  const top = (row: number) => 8 + row * step
  const middle = (row: number) => top(row) + BOX_LAYOUT.height / 2
  const width = right + 20 + Math.max(1, map.tracks) * TRACK_WIDTH + 8
  const height = top(map.nodes.length - 1) + BOX_LAYOUT.height + 8
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, and one picture to a screen reader
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
      <defs>
        <marker id="map-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
          <path d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {map.lines.map(({ way, from, to, track, number }) => {
        const key = `${way.from} ${way.kind} ${number} ${way.to}`
        if (way.kind === 'skip') {
          const [a, b] = [top(from) + 8, top(to) + 8]
          return <path key={key} className="map-line map-skip" d={`M${BOX_LAYOUT.left} ${a} C4 ${a} 4 ${b} ${BOX_LAYOUT.left} ${b}`} />
        }
        if (track === undefined && to === from + 1) {
          const x = BOX_LAYOUT.left + BOX_LAYOUT.width / 2
          return <path key={key} className="map-line" d={`M${x} ${top(from) + BOX_LAYOUT.height} V${top(to) - 2}`} />
        }
        const x = right + 16 + ((track ?? 0) + 1) * TRACK_WIDTH - TRACK_WIDTH / 2
        const [a, b] = [middle(from) + 4, middle(to) - 4]
        return (
          <g key={key}>
            <path
              className="map-line map-jump"
              d={`M${right} ${a} H${x - 8} Q${x} ${a} ${x} ${a + 8} V${b - 8} Q${x} ${b} ${x - 8} ${b} H${right + 2}`}
            />
            {number !== undefined && (
              <g className="map-number">
                <circle cx={x} cy={(a + b) / 2} r="10" />
                <text x={x} y={(a + b) / 2 + 4}>
                  {number}
                </text>
              </g>
            )}
          </g>
        )
      })}
      {map.nodes.map(({ id, kind, row, isReached }) => {
        const page = definition.pages.find((each) => each.id === id)
        const name = nameOf(id)
        const note = page && t('map.questions', { count: countQuestions(listQuestions({ schema: 1, pages: [page] })) })
        return (
          <g key={`${kind} ${id}`} className={`map-node map-${kind}${isReached ? '' : ' map-lost'}`}>
            <title>{name}</title>
            <rect
              x={BOX_LAYOUT.left}
              y={top(row)}
              width={BOX_LAYOUT.width}
              height={BOX_LAYOUT.height}
              rx={kind === 'page' ? 8 : BOX_LAYOUT.height / 2}
            />
            <text x={BOX_LAYOUT.left + 16} y={top(row) + (note ? 20 : 28)}>
              {name.length > 32 ? `${name.slice(0, 31)}…` : name}
            </text>
            {note && (
              <text className="map-note" x={BOX_LAYOUT.left + 16} y={top(row) + 37}>
                {note}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}
