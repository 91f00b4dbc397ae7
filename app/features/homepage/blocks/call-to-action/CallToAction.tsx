import { Text } from '#app/ui/text.tsx'
import { BlockAction, type BlockProps } from '../../block-parts.tsx'

export default function CallToAction({ block }: BlockProps<'call_to_action'>) {
  const isDeep = block.tone === 'deep'
  return (
    <section className="section">
      <div className="wrap">
        <div className={isDeep ? 'band section-deep' : 'band band-wash'}>
          {block.title.text && (
            <h2>
              <Text words={block.title} />
            </h2>
          )}
          {block.text.text && (
            <p>
              <Text words={block.text} />
            </p>
          )}
          <div className="row">
            <BlockAction action={block.action} kind={isDeep ? 'light' : 'primary'} />
            <BlockAction action={block.second} kind={isDeep ? 'outline-light' : 'secondary'} />
          </div>
        </div>
      </div>
    </section>
  )
}
