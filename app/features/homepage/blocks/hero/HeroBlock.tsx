import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Hero } from '#app/ui/hero.tsx'
import { Text } from '#app/ui/text.tsx'
import { BlockAction, type BlockProps } from '../../block-parts.tsx'

export function HeroBlock({ block, page }: BlockProps<'hero'>) {
  const { t } = useTranslation('participant')
  const hasOwnWords = block.title.text !== ''
  const { picture } = block
  return (
    <Hero
      title={hasOwnWords ? <Text words={block.title} /> : t('home.title', { site: page.site.name })}
      lead={hasOwnWords ? <Text words={block.text} /> : t('home.text')}
      actions={
        block.action || block.second ? (
          <>
            <BlockAction action={block.action} kind="light" />
            <BlockAction action={block.second} kind="outline-light" />
          </>
        ) : (
          <Link to="/projects" search={{ status: 'open' }} className={getButtonClass({ kind: 'light' })}>
            {t('home.see-open')}
          </Link>
        )
      }
      scene={
        picture && (
          <img
            src={picture.file}
            srcSet={picture.srcSet}
            style={picture.style}
            sizes="100vw"
            alt={picture.alt.text}
            lang={picture.alt.lang}
            dir={getDirection(picture.alt.lang)}
            width={1440}
            height={560}
            fetchPriority="high"
          />
        )
      }
      overlap={page.overlap}
      level={page.level}
    />
  )
}
