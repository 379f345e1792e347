import { type Change, errorTexts } from '../../src/translate/ops.ts'

export default {
  summary: 'Errors of resize, platforms and archives are worded differently, or 400 instead of 500.',
  see: 'seen on 20.10, 26.1 and 28.5',
  ops: errorTexts(
    `
    ContainerResize ExecResize
      400 invalid resize {side} "{value}": invalid syntax
        400 strconv.Atoi: parsing "{value}": invalid syntax
    ContainerCreate
      404 image with reference {word} was found but its platform ({is}) does not match the specified platform ({wanted})
        404 image with reference {word} was found but does not match the specified platform: wanted {wanted}, actual: {is}
      400 invalid isolation ({isolation}): {os} only supports 'default'
        500 Invalid isolation: "{isolation}" - {os} only supports 'default'
    ImageBuild
      # The parser of Dockerfiles names a flag with its dashes: buildkit 31a7c177e.
      400 dockerfile parse error on line {n}: {what=unknown flag|duplicate flag specified|missing a value on flag}: --{flag}
        400 dockerfile parse error on line {n}: {what=unknown flag|duplicate flag specified|missing a value on flag}: {flag}
      400 dockerfile parse error on line {n}: expecting boolean value for flag --{flag}, not: {value}
        400 dockerfile parse error on line {n}: expecting boolean value for flag {flag}, not: {value}
    ContainerStart
      # The older text can also be about the container itself.
      500 joining network namespace of container: No such container: {container}
        down 404 No such container: {container}
    PutContainerArchive
      400 extraction point is not a directory
        500 extraction point is not a directory
    `,
    {
      holes: { side: ({ found, query }) => ((query.get('h') ?? '') === found['value'] ? 'height' : 'width') },
      samples: [{ query: 'h=3&w=x', values: { side: 'width' } }],
    },
  ),
} satisfies Change
