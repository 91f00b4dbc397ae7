import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { BlockAction, type BlockProps } from '../../block-parts.tsx'

export default function PictureText({ block }: BlockProps<'picture_text'>) {
  const { title, body, picture, side, action } = block
  return (
    <section className="section" {...(title.text ? { 'aria-labelledby': block.id } : {})}>
      <div className={picture ? 'wrap picture-text' : 'wrap'} data-side={side}>
        {picture && (
          <img
            src={picture.file}
            srcSet={picture.srcSet}
            style={picture.style}
            sizes="(min-width: 60rem) 36rem, 100vw"
            alt={picture.alt.text}
            lang={picture.alt.lang}
            dir={getDirection(picture.alt.lang)}
            width={960}
            height={640}
            loading="lazy"
          />
        )}
        <div className="stack">
          {title.text && (
            <h2 id={block.id}>
              <Text words={title} />
            </h2>
          )}
          <RichText text={body.text} level={3} href={toLocalHref} {...(body.lang ? { lang: body.lang } : {})} />
          {action && (
            <p>
              <BlockAction action={action} kind="secondary" />
            </p>
          )}
        </div>
      </div>
    </section>
  )
}
