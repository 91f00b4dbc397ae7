import { loadShownPictures } from '#app/features/media/media.pictures.server.ts'
import { buildPictureAttributes } from '#app/lib/picture-address.ts'
import type { Ctx } from '#app/server/context.ts'
import type { PictureView } from './block-fields.ts'
import { BLOCKS, type HomeBlockView } from './homepage.schema.ts'

function findPictures(view: HomeBlockView): [string, PictureView][] {
  const fields = view as unknown as Readonly<Record<string, PictureView | null>>
  return Object.entries(BLOCKS[view.type].fields).flatMap(([name, field]) => {
    const picture = field.kind === 'picture' ? fields[name] : null
    return picture ? [[name, picture]] : []
  })
}

/** Replaces library pictures in the blocks by their current version, in every size. */
export async function resolvePictures(ctx: Ctx, views: readonly HomeBlockView[]): Promise<HomeBlockView[]> {
  const shown = await loadShownPictures(
    ctx,
    views.flatMap((view) => findPictures(view).map(([, { file }]) => file)),
  )
  return views.map((view) => {
    const changed = findPictures(view).flatMap(([name, picture]): [string, PictureView][] => {
      const address = shown.get(picture.file)
      if (!address) return []
      const { src, srcSet, style } = buildPictureAttributes(address)
      return [[name, { ...picture, file: src, srcSet, style }]]
    })
    return changed.length ? { ...view, ...Object.fromEntries(changed) } : view
  })
}
