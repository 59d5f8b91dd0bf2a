#!/usr/bin/env bash
# drift_test.sh DERIVED FILE: shows that the skeleton FILE is what its answer gives, DERIVED.
# A learner's work in FILE is no drift: then what is committed counts.
set -euo pipefail

derived=$1 file=$2

! cmp -s -- "$derived" "$file" || exit 0
cd -- "$(dirname -- "$file")"
committed=$(git show "HEAD:./${file##*/}" 2>/dev/null && echo .) || exit 77  # not in git: skipped
! cmp -s -- "$derived" <(printf %s "${committed%.}") || exit 0
diff -u --label "$file, committed" --label "what the answer gives" \
    <(printf %s "${committed%.}") "$derived" || true
printf '%s is out of date. Edit the answer under solutions/ and run: ./warplings dev sync\n' "$file"
exit 1
