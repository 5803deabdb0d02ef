#!/bin/bash
# examples/cluster/mpirun.sh node0,node1 config.yaml [key=value ...]
# Four ranks on each machine of the list, rank 0 on the first. mpirun needs to log in without a
# password, and the same paths everywhere.
hosts="$1"
shift
first="${hosts%%,*}"
exec mpirun --host "${hosts//,/:4,}:4" --map-by ppr:4:node --bind-to none \
  -x MASTER_ADDR="$first" -x MASTER_PORT=29500 hone train "$@"
