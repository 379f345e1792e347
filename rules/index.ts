import { bindRules, type Changes } from '../src/translate/change.ts'
import { proven } from '../src/translate/check.ts'
import { readStartBody, readTopLevel } from './by-hand/host-config-members.ts'
import podman from './podman.ts'
import specification from './profile-spec.ts'
import v1_13 from './v1.13.ts'
import v1_16 from './v1.16.ts'
import v1_19 from './v1.19.ts'
import v1_20 from './v1.20.ts'
import v1_21 from './v1.21.ts'
import v1_22 from './v1.22.ts'
import v1_23 from './v1.23.ts'
import v1_24 from './v1.24.ts'
import v1_25 from './v1.25.ts'
import v1_26 from './v1.26.ts'
import v1_27 from './v1.27.ts'
import v1_28 from './v1.28.ts'
import v1_29 from './v1.29.ts'
import v1_30 from './v1.30.ts'
import v1_31 from './v1.31.ts'
import v1_32 from './v1.32.ts'
import v1_33 from './v1.33.ts'
import v1_34 from './v1.34.ts'
import v1_35 from './v1.35.ts'
import v1_36 from './v1.36.ts'
import v1_37 from './v1.37.ts'
import v1_38 from './v1.38.ts'
import v1_39 from './v1.39.ts'
import v1_40 from './v1.40.ts'
import v1_41 from './v1.41.ts'
import v1_42 from './v1.42.ts'
import v1_43 from './v1.43.ts'
import v1_44 from './v1.44.ts'
import v1_45 from './v1.45.ts'
import v1_46 from './v1.46.ts'
import v1_47 from './v1.47.ts'
import v1_48 from './v1.48.ts'
import v1_49 from './v1.49.ts'
import v1_50 from './v1.50.ts'
import v1_51 from './v1.51.ts'
import v1_52 from './v1.52.ts'
import v1_53 from './v1.53.ts'
import v1_54 from './v1.54.ts'
import v1_55 from './v1.55.ts'
import v1_56 from './v1.56.ts'
import v1_57 from './v1.57.ts'
import v1_58 from './v1.58.ts'

/** The files by the names that they have above. */
export const versions: Readonly<Record<`v1_${number}`, Changes | readonly Changes[]>> = {
  ...{ v1_13, v1_16, v1_19, v1_20, v1_21, v1_22, v1_23, v1_24, v1_25, v1_26, v1_27 },
  ...{ v1_28, v1_29, v1_30, v1_31, v1_32, v1_33, v1_34, v1_35, v1_36, v1_37, v1_38 },
  ...{ v1_39, v1_40, v1_41, v1_42, v1_43, v1_44, v1_45, v1_46, v1_47, v1_48, v1_49 },
  ...{ v1_50, v1_51, v1_52, v1_53, v1_54, v1_55, v1_56, v1_57, v1_58 },
}

/** All changes; invalid rules stop the program here. */
export const changes = proven(bindRules(Object.values(versions).flat()))

/** Steps that read requests before all changes. */
export const readings = { ContainerCreate: readTopLevel, ContainerStart: readStartBody }

/** Differences that no version made: those that `--profile spec` adds, and those of Podman. */
export const deviations = proven(bindRules([...specification, ...podman]))
