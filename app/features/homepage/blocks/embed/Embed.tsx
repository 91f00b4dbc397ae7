import { useTranslation } from 'react-i18next'
import { Text } from '#app/ui/text.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'
import { FrameOnDemand } from '../../FrameOnDemand.tsx'

export default function Embed({ block }: BlockProps<'embed'>) {
  const { t } = useTranslation('participant')
  const { source } = block.data
  if (!source) return null
  return (
    <BlockSection id={block.id} title={block.title}>
      {block.text.text && (
        <p className="lead">
          <Text words={block.text} />
        </p>
      )}
      <FrameOnDemand
        frame={source.frame}
        address={source.frame}
        title={block.title.text || source.host}
        label={t('home.show-frame', { host: source.host })}
        note={t('home.from-elsewhere', { host: source.host })}
        height={block.height}
      />
    </BlockSection>
  )
}
