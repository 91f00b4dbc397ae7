import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { Text } from '#app/ui/text.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'
import { FrameOnDemand } from '../../FrameOnDemand.tsx'
import { parseVideoSource } from '#app/lib/video-source.ts'

export default function Video({ block }: BlockProps<'video'>) {
  const { t } = useTranslation('participant')
  const source = parseVideoSource(block.address)
  if (!source) return null
  const { picture } = block
  return (
    <BlockSection id={block.id} title={block.title}>
      {block.text.text && (
        <p className="lead">
          <Text words={block.text} />
        </p>
      )}
      <FrameOnDemand
        frame={source.frame}
        address={block.address}
        title={block.title.text || t('home.film')}
        label={t('home.play')}
        note={t('home.from-elsewhere', { host: source.host })}
        picture={
          picture && (
            <img
              src={picture.file}
              srcSet={picture.srcSet}
              style={picture.style}
              sizes="(min-width: 60rem) 60rem, 100vw"
              alt={picture.alt.text}
              lang={picture.alt.lang}
              dir={getDirection(picture.alt.lang)}
              loading="lazy"
            />
          )
        }
      />
    </BlockSection>
  )
}
