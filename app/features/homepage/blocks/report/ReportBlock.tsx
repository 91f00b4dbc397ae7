import { useTranslation } from 'react-i18next'
import type { PartContent, PartTable } from '#app/features/heard/report-part.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { BarChart } from '#app/ui/bar-chart.tsx'
import { Quote } from '#app/ui/quote.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { ScrollRegion } from '#app/ui/scroll-region.tsx'
import { Text } from '#app/ui/text.tsx'
import { BlockSection } from '../../block-parts.tsx'
import type { ReportPartData } from './report.blocks.ts'

interface ReportBlockProps {
  block: { id: string; title: LocalisedText; body: LocalisedText; data: ReportPartData }
}

/** A block of a report: the words of its author, then figures with their numbers, tables and quotes. */
export default function ReportBlock({ block }: ReportBlockProps) {
  const { t } = useTranslation('heard-report')
  const format = useFormat()
  const { id, title, body } = block
  const { part } = block.data
  if (!part) return null
  const gone = part.basis && part.gone > 0 ? part.basis.kind : undefined
  return (
    <BlockSection id={`${id}-title`} title={title.text ? title : part.heading}>
      {body.text.trim() && <RichText text={body.text} href={toLocalHref} {...(body.lang ? { lang: body.lang } : {})} />}
      {part.content.map((content, at) => (
        <Content key={at} content={content} heading={title.text || part.heading.text} />
      ))}
      {gone && <p className="report-changed">{t(`changed.${gone}`, { count: part.gone, number: format.number(part.gone) })}</p>}
      {part.quotes.length > 0 && (
        <div className="quotes">
          {part.quotes.map(({ text, language }) => (
            <Quote key={text} language={language}>
              {text}
            </Quote>
          ))}
        </div>
      )}
    </BlockSection>
  )
}

/** A chart that the heading above names already has only its note. */
function Content({ content, heading }: { content: PartContent; heading: string }) {
  const format = useFormat()
  if (content.kind === 'text') return <p className="report-text">{content.text}</p>
  if (content.kind === 'table') return <Table table={content} />
  const { caption, note, heads, bars } = content
  const isNamed = caption.text === heading
  return (
    <BarChart
      title={isNamed ? note : <Text words={caption} />}
      note={isNamed ? undefined : note}
      heads={heads}
      ends={[format.percent(0), format.percent(1)]}
      bars={bars.map(({ label, part, words, counted }) =>
        part === null ? { label, notShown: words } : { label, count: part, share: { part, words }, counted },
      )}
    />
  )
}

function Table({ table: { caption, note, heads, rows, textColumns } }: { table: PartTable }) {
  const toClass = (column: number) => (column < textColumns ? undefined : 'number')
  return (
    <ScrollRegion>
      <table className="data-table report-table">
        <caption>
          <Text words={caption} />
          {note && <span className="chart-note">{note}</span>}
        </caption>
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={head} scope="col" className={toClass(column)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], at) => (
            <tr key={at}>
              <th scope="row">{name && <Text words={name} />}</th>
              {cells.map((cell, column) => (
                <td key={column} className={toClass(column + 1)}>
                  <Text words={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
