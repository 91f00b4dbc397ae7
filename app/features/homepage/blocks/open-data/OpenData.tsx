import { Link } from '@tanstack/react-router'
import { useFormat } from '#app/shell/use-format.ts'
import { DataFigure } from '#app/ui/data-figure.tsx'
import { Text } from '#app/ui/text.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export default function OpenData({ block }: BlockProps<'open_data'>) {
  const format = useFormat()
  const { figure } = block.data
  if (!figure) return null
  const text = block.text.text ? block.text : figure.description
  return (
    <BlockSection
      id={block.id}
      title={block.title.text ? block.title : figure.title}
      link={
        <Link to="/data/$slug" params={{ slug: figure.slug }}>
          {figure.words.whole}
        </Link>
      }
    >
      {text.text && (
        <p>
          <Text words={text} />
        </p>
      )}
      <DataFigure {...figure} label={figure.title.text} format={(value) => format.number(value)} />
    </BlockSection>
  )
}
