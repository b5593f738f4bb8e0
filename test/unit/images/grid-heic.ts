export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function fullBox(type: string, version: number, ...content: readonly Buffer[]): Buffer {
  return box(type, u32(version << 24), ...content);
}

export function u16(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
}

function u32(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) buffer.writeUInt32BE(value >>> 0, 4 * i);
  return buffer;
}

/** Returns a box with its header, the first one of that type in the file. */
function cutBox(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1') - 4;
  return file.subarray(at, at + file.readUInt32BE(at));
}

/**
 * Builds a HEIC photo whose picture is a grid of one tile, two by two (ISO/IEC 23008-12, 6.6.2.3), as phones write it
 * but for the number of items.
 * @param tile a HEIC file whose media data is one HEVC picture of 1280x720
 * @param extra items besides tiles and grid, each the tile again
 */
export function makeGridHeic(tile: Buffer, extra: number): Buffer {
  const config = cutBox(tile, 'hvcC');
  const data = cutBox(tile, 'mdat').subarray(8);
  const [tiles, grid] = [[1, 2, 3, 4], 5];
  const pictures = [...tiles, ...Array.from({ length: extra }, (_, i) => grid + 1 + i)];
  const layout = Buffer.concat([Buffer.from([0, 1, 1, 1]), u32(2560, 1440)]);
  const entry = (id: number, type: string) =>
    // All but the grid are hidden.
    box('infe', u32(id === grid ? 0x0200_0000 : 0x0200_0001), u16(id, 0), Buffer.from(`${type}\0`, 'latin1'));
  const count = pictures.length + 1;
  const sizeBox = (width: number, height: number) => fullBox('ispe', 0, u32(width, height));
  const properties = box('ipco', sizeBox(1280, 720), config, sizeBox(2560, 1440));
  const uses = pictures.map((id) => Buffer.concat([u16(id), Buffer.from([2, 1, 0x82])]));
  const gridUses = Buffer.concat([u16(grid), Buffer.from([1, 3])]);
  const locate = (dataAt: number) => [
    ...pictures.map((id) => Buffer.concat([u16(id, 0, 0, 1), u32(dataAt, data.length)])),
    Buffer.concat([u16(grid, 1, 0, 1), u32(0, layout.length)]),
  ];
  const meta = (dataAt: number) => {
    const content = [
      fullBox('hdlr', 0, Buffer.from('\0\0\0\0pict', 'latin1'), Buffer.alloc(13)),
      fullBox('pitm', 0, u16(grid)),
      fullBox('iloc', 1, Buffer.from([0x44, 0]), u16(count), ...locate(dataAt)),
      fullBox('iinf', 0, u16(count), ...pictures.map((id) => entry(id, 'hvc1')), entry(grid, 'grid')),
      fullBox('iref', 0, box('dimg', u16(grid, tiles.length, ...tiles))),
      box('iprp', properties, fullBox('ipma', 0, u32(count), ...uses, gridUses)),
      box('idat', layout),
    ];
    return fullBox('meta', 0, ...content);
  };
  const start = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const dataAt = start.length + meta(0).length + 8;
  return Buffer.concat([start, meta(dataAt), box('mdat', data)]);
}
