/** Addresses of pages and images. They begin with the server's base address, so that every process on a file links to itself. */
import type { ImageFormat, Output } from '../../../contract/index.js'

export type ImageFormatName = Output<typeof ImageFormat>

const EXTENSIONS: Readonly<Record<ImageFormatName, string>> = { Gif: 'gif', Jpeg: 'jpg', Png: 'png' }

/** Sizes in image links (docs/service.md, Service pages). The sandbox keeps one file and serves it under each. */
export type ImageSize = 'gallery' | 'normal' | 'thumb' | 'minithumb' | 'mega'

/** `{base}/images/{size}/{id}.{extension}`. */
export function imageLink(base: string, size: ImageSize, id: number, format: ImageFormatName): string {
  return `${base}/images/${size}/${id}.${EXTENSIONS[format]}`
}

/** The image id in a link's path (`/images/normal/12.png`); undefined for any other path. */
export function imageIdOf(path: string): number | undefined {
  const match = /^\/images\/(?:gallery|normal|thumb|minithumb|mega)\/(\d{1,10})\.(?:gif|jpg|png)$/.exec(path)
  return match === null ? undefined : Number(match[1])
}

/** `{base}/item/{categoryId}/{itemId}` (docs/service.md, Service pages). */
export function itemLink(base: string, categoryId: number, itemId: number): string {
  return `${base}/item/${categoryId}/${itemId}`
}
