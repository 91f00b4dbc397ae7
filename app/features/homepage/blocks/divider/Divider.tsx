import type { BlockProps } from '../../block-parts.tsx'

export const Divider = ({ block }: BlockProps<'divider'>) => (
  <div className="wrap">{block.look === 'line' ? <hr className="divider" /> : <div className="divider-space" />}</div>
)
