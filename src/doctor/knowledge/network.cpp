#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"NET-01", Grade::failure, true, "No network interface can be used between the ranks.",
     "NCCL_SOCKET_IFNAME names none that is there, or the container has no network.",
     "`export NCCL_SOCKET_IFNAME=eth0` with the name of the right interface (`ip addr` lists "
     "them), or "
     "unset it; in containers `--network=host`",
     "!no socket interface found\n!no usable listening interface found\n!no interface found*nccl"},
    {"NET-02", Grade::failure, false, "RCCL could not connect the ranks.",
     "A wrong network interface was chosen (docker0, a VPN), or a firewall blocks the ports.",
     "`export NCCL_SOCKET_IFNAME=eth0` with the name of your internal interface, and open the "
     "ports "
     "between the nodes; NCCL_DEBUG=INFO shows what it chose",
     "!socketstartconnect: exceeded\n!socketpollconnect\nnccl/rccl initialization failed\n"
     "rccl initialization failed\nnccl initialization failed\nncclcomminitrank*failed\n"
     "?ncclsysterror\n?ncclsystemerror\n?ncclinternalerror\n?unhandled system error"},
    {"NET-03", Grade::failure, false, "/dev/shm is too small for the ranks.",
     "Docker gives 64 MiB.", "start the container with --shm-size=16g or --ipc=host",
     "!failed to extend /dev/shm\n!error while creating shared memory segment /dev/shm\n"
     "!/dev/shm*no space left\nbus error*/dev/shm\nexit code 135"},
    {"NET-04", Grade::warning, true, "Old shared memory files of RCCL fill /dev/shm.",
     "Runs that were killed left them; or the ranks are in different containers.",
     "`rm /dev/shm/nccl-*` when nothing runs; one container per node, or --ipc=host",
     "error while attaching to shared memory segment"},
    {"NET-05", Grade::failure, false, "The network card may not keep memory locked.",
     "The limit of locked memory is small for this user or container.",
     "`--ulimit memlock=-1` for containers; `* soft memlock unlimited` and `* hard memlock "
     "unlimited` in "
     "/etc/security/limits.conf; LimitMEMLOCK=infinity for services",
     "!ibv_reg_mr*cannot allocate memory\n!ibv_create_cq*cannot allocate memory\n"
     "!ibv_create_qp*cannot allocate memory"},
    {"NET-06", Grade::warning, true, "The InfiniBand or RoCE card is not used.",
     "Its devices are not in the container, its library is missing, or a variable turns it off.",
     "add `--device=/dev/infiniband --cap-add=IPC_LOCK`, install rdma-core, unset NCCL_IB_DISABLE",
     "!net/ib : no device found\ncouldn't load driver 'libmlx\nfailed to open libibverbs"},
    {"NET-07", Grade::failure, false, "RoCE uses an address that the network does not route.",
     "The chosen entry of the card's address table is not RoCE v2 with an IPv4 address.",
     "`export NCCL_IB_GID_INDEX=3`, or the index that `show_gids` gives for RoCE v2",
     "ibv_modify_qp failed\ncall to ibv_modify_qp"},
    {"NET-08", Grade::failure, false, "A peer did not answer over InfiniBand.",
     "A lossy network, a peer that died, or a wrong rail.",
     "look at the first rank that failed; `export NCCL_IB_TIMEOUT=22 NCCL_IB_RETRY_CNT=7`; check "
     "flow "
     "control on the switches",
     "!got completion from peer*with status=12\nvendor err 129"},
    {"NET-09", Grade::note, false, "The network card cannot read GPU memory itself.",
     "The peer memory driver is missing, or the kernel lacks DMA-BUF.",
     "install AMD's driver after the network card's, or `export NCCL_DMABUF_ENABLE=1`",
     "gdrdma not enabled"},
    {"NET-10", Grade::failure, false, "The network card was to read GPU memory and could not.",
     "The support that was found is not really there.",
     "`export NCCL_NET_GDR_LEVEL=0`, or update driver and ROCm", "!ibv_reg_mr*bad address"},
    {"NET-11", Grade::failure, false, "The process has no file numbers left for its peers.",
     "Every peer takes sockets and files; the usual limit is 1024.",
     "`ulimit -n 65536`, or LimitNOFILE=65536", "!too many open files\nemfile"},
    {"NET-12", Grade::warning, false, "The kernel runs without iommu=pt.",
     "Address translation stands between cards that talk to each other.",
     "add `iommu=pt` (Intel: `intel_iommu=on iommu=pt`) to the kernel command line and restart",
     "missing \"iommu=pt\"\nmissing \"amd_iommu=on\""},
    {"NET-13", Grade::warning, false, "The kernel moves memory between processor nodes.",
     "NUMA balancing interrupts collectives.", "`sudo sysctl -w kernel.numa_balancing=0`",
     "numa auto balancing enabled"},
    {"NET-14", Grade::warning, false, "Switches send traffic between cards through the processor.",
     "PCIe access control (ACS) is on.",
     "switch ACS off in the BIOS of machines that host no virtual machines", "",
     "the bits lie in a part of the configuration space that only root may read; see D-05"},
    {"NET-15", Grade::failure, false, "The first exchange between cards never ends.",
     "Direct access between these cards does not work on this platform.",
     "`export NCCL_P2P_DISABLE=1`, or NCCL_PROTO=Simple; see the IOMMU's setting", "",
     "it takes an exchange between two cards; nothing is printed"},
    {"NET-16", Grade::warning, false, "The cards cannot reach each other's memory.",
     "A small BAR, different processor sockets, or a kernel without PCI_P2PDMA.",
     "switch on Resizable BAR, use slots of one processor, a kernel with CONFIG_PCI_P2PDMA and "
     "CONFIG_HSA_AMD_P2P",
     "failed to peer with device\nhiperrorpeeraccessunsupported\n"
     "peer access is not supported between these two devices"},
    {"NET-17", Grade::note, false, "An old RCCL asks for HSA_FORCE_FINE_GRAIN_PCIE=1.",
     "Old releases need it on cards without links of their own.",
     "set it for those releases, or update ROCm", "missing \"hsa_force_fine_grain_pcie=1\""},
    {"NET-18", Grade::failure, true, "Memory of one process could not be opened in another.",
     "HSA_ENABLE_IPC_MODE_LEGACY does not fit the release, or the ranks are in separate "
     "containers.",
     "unset HSA_ENABLE_IPC_MODE_LEGACY on all ranks, and run them in one container with --ipc=host",
     "!hipipcgetmemhandle*failed\n!hipipcopenmemhandle\nhipipcgetmemhandle"},
    {"NET-19", Grade::failure, false, "Two ranks use the same GPU.",
     "The local rank was not taken as the device's number.",
     "one rank per GPU: start as many ranks as there are GPUs, and leave ROCR_VISIBLE_DEVICES "
     "alone or "
     "set it per rank",
     "!duplicate gpu detected"},
    {"NET-20", Grade::failure, false, "The ranks do not agree on what they do together.",
     "Different programs, settings or RCCL versions.",
     "use the same program, configuration and libraries on all nodes",
     "!mismatch in rank count\nncclinvalidusage\nncclinvalidargument"},
    {"NET-21", Grade::failure, false, "The ranks waited too long for one of them.",
     "One rank is dead, or still prepares data, saves, or is out of memory.",
     "look at the log of the rank that is missing; prepare the data before training; raise "
     "ddp_timeout",
     "!watchdog caught collective operation timeout\ncollective operation timeout"},
    {"NET-22", Grade::failure, false, "Another rank ended first.",
     "This one only sees its connection break.", "read the log of the rank that ended first",
     "ncclremoteerror\n?connection reset by peer\n?connection closed by remote peer"},
    {"NET-23", Grade::failure, false, "A card behind the chipset cannot work with the others.",
     "Its slot is not the processor's, and has fewer lanes.",
     "move it to a slot of the processor, or train on one card",
     "operation cannot be performed in the present state\nhiperrorillegalstate"},
    {"NET-24", Grade::failure, false, "Collectives change the data.",
     "Faults of single releases in their fast protocols.",
     "`export RCCL_MSCCL_ENABLE=0 RCCL_MSCCLPP_ENABLE=0 NCCL_PROTO=Simple`, or update ROCm", "",
     "it takes an exchange between cards whose sum is compared"},
    {"NET-25", Grade::note, true, "A job on two or four MI300X is slower than the cards.",
     "Each pair of cards has one link; only eight use all of them.",
     "use one or eight cards per job, and `export NCCL_MIN_NCHANNELS=112`"},
    {"NET-26", Grade::note, false, "Communication waits for computing.",
     "Too many hardware queues compete.", "`export GPU_MAX_HW_QUEUES=2` for sharded training", "",
     "it takes measured times of a run on several cards"},
    {"NET-27", Grade::warning, true, "The IOMMU is switched off.",
     "Without it several cards may compute wrong or hang, and large machines lose interrupts.",
     "take iommu=off and amd_iommu=off from the kernel command line, and use iommu=pt"},
};

}  // namespace

std::span<const Entry> network_entries() {
  return kEntries;
}

}  // namespace hone::doctor
