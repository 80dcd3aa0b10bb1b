//! The constants of MPI, by their names without `MPI_`: the only place that lists them. The values that the library
//! uses, the conversions of each binary interface and the header come from it.
//!
//! ```text
//!               standard   MPICH   Open MPI
//!   PROC_NULL         -3      -1         -2;
//! ```
//!
//! Everything behind the exported functions uses the values of the standard. For a constant that an interface does not
//! have, the value of another that says the same stands behind it, or `_`.

use std::ffi::c_int;

/// Handles from here on are no constants, but of objects that the program has made.
pub const FIRST_OWN_HANDLE: usize = 4_096;

/// The binary interfaces: columns of the tables below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// MPI 5.0, chapter 20.
    Standard,
    /// MPICH from version 3.1 on, and what is compatible with it.
    Mpich,
    /// Open MPI from version 2 on.
    OpenMpi,
}

/// Constants that belong together, as the header has them.
#[derive(Debug)]
pub struct Group {
    /// What they are.
    pub title: &'static str,
    /// The names and values.
    pub constants: &'static [(&'static str, i64)],
}

macro_rules! integers {
    ($(#[doc = $title:literal] $kind:ident {
        $($name:ident $standard:literal $mpich:literal $open_mpi:literal;)*
    })*) => {
        /// The kinds of integers with values that interfaces number differently. Other values are the same.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum IntegerKind {
            $(#[doc = $title] $kind,)*
        }

        $($(
            #[doc = concat!("`MPI_", stringify!($name), "`.")]
            pub const $name: c_int = $standard;
        )*)*

        /// Pairs of values: of the standard, and of an interface.
        pub const fn integers(interface: Interface, kind: IntegerKind) -> &'static [(c_int, c_int)] {
            match (interface, kind) {
                (Interface::Standard, _) => &[],
                $(
                    (Interface::Mpich, IntegerKind::$kind) => &[$(($standard, $mpich)),*],
                    (Interface::OpenMpi, IntegerKind::$kind) => &[$(($standard, $open_mpi)),*],
                )*
            }
        }

        /// All integers of these kinds.
        pub const INTEGERS: &[Group] = &[
            $(Group { title: $title, constants: &[$((stringify!($name), $standard)),*] },)*
        ];
    };
}

integers! {
    /// Ranks and roots.
    Rank {
        ANY_SOURCE                     -1           -2         -1;
        PROC_NULL                      -3           -1         -2;
        ROOT                           -4           -3         -4;
    }
    /// Tags.
    Tag {
        ANY_TAG                        -2           -1         -1;
    }
    /// Indices, colors and counts.
    Index {
        UNDEFINED                  -32766       -32766     -32766;
    }
    /// Error codes and classes.
    Error {
        SUCCESS                         0            0          0;
        ERR_BUFFER                      1            1          1;
        ERR_COUNT                       2            2          2;
        ERR_TYPE                        3            3          3;
        ERR_TAG                         4            4          4;
        ERR_COMM                        5            5          5;
        ERR_RANK                        6            6          6;
        ERR_REQUEST                     7           19          7;
        ERR_ROOT                        8            7          8;
        ERR_GROUP                       9            8          9;
        ERR_OP                         10            9         10;
        ERR_TOPOLOGY                   11           10         11;
        ERR_DIMS                       12           11         12;
        ERR_ARG                        13           12         13;
        ERR_UNKNOWN                    14           13         14;
        ERR_TRUNCATE                   15           14         15;
        ERR_OTHER                      16           15         16;
        ERR_INTERN                     17           16         17;
        ERR_PENDING                    18           18         19;
        ERR_IN_STATUS                  19           17         18;
        ERR_ACCESS                     20           20         20;
        ERR_AMODE                      21           21         21;
        ERR_ASSERT                     22           53         22;
        ERR_BAD_FILE                   23           22         23;
        ERR_BASE                       24           46         24;
        ERR_CONVERSION                 25           23         25;
        ERR_DISP                       26           52         26;
        ERR_DUP_DATAREP                27           24         27;
        ERR_FILE_EXISTS                28           25         28;
        ERR_FILE_IN_USE                29           26         29;
        ERR_FILE                       30           27         30;
        ERR_INFO_KEY                   31           29         31;
        ERR_INFO_NOKEY                 32           31         32;
        ERR_INFO_VALUE                 33           30         33;
        ERR_INFO                       34           28         34;
        ERR_IO                         35           32         35;
        ERR_KEYVAL                     36           48         36;
        ERR_LOCKTYPE                   37           47         37;
        ERR_NAME                       38           33         38;
        ERR_NO_MEM                     39           34         39;
        ERR_NOT_SAME                   40           35         40;
        ERR_NO_SPACE                   41           36         41;
        ERR_NO_SUCH_FILE               42           37         42;
        ERR_PORT                       43           38         43;
        ERR_QUOTA                      44           39         44;
        ERR_READ_ONLY                  45           40         45;
        ERR_RMA_ATTACH                 46           56         69;
        ERR_RMA_CONFLICT               47           49         46;
        ERR_RMA_RANGE                  48           55         68;
        ERR_RMA_SHARED                 49           57         71;
        ERR_RMA_SYNC                   50           50         47;
        ERR_SERVICE                    51           41         48;
        ERR_SIZE                       52           51         49;
        ERR_SPAWN                      53           42         50;
        ERR_UNSUPPORTED_DATAREP        54           43         51;
        ERR_UNSUPPORTED_OPERATION      55           44         52;
        ERR_WIN                        56           45         53;
        ERR_RMA_FLAVOR                 57           58         70;
        ERR_PROC_ABORTED               58           76         74;
        ERR_VALUE_TOO_LARGE            59           77         79;
        ERR_SESSION                    60           75         78;
        ERR_ERRHANDLER                 61           80         13;
        ERR_ABI                        62           81         16;
        T_ERR_CANNOT_INIT            1001           61         56;
        T_ERR_NOT_ACCESSIBLE         1002           79         56;
        T_ERR_NOT_INITIALIZED        1003           60         55;
        T_ERR_NOT_SUPPORTED          1004           78         72;
        T_ERR_MEMORY                 1005           59         54;
        T_ERR_INVALID                1006           74         72;
        T_ERR_INVALID_INDEX          1007           62         57;
        T_ERR_INVALID_ITEM           1008           63         58;
        T_ERR_INVALID_SESSION        1009           67         62;
        T_ERR_INVALID_HANDLE         1010           64         59;
        T_ERR_INVALID_NAME           1011           73         73;
        T_ERR_OUT_OF_HANDLES         1012           65         60;
        T_ERR_OUT_OF_SESSIONS        1013           66         61;
        T_ERR_CVAR_SET_NOT_NOW       1014           68         63;
        T_ERR_CVAR_SET_NEVER         1015           69         64;
        T_ERR_PVAR_NO_WRITE          1016           71         66;
        T_ERR_PVAR_NO_STARTSTOP      1017           70         65;
        T_ERR_PVAR_NO_ATOMIC         1018           72         67;
        ERR_LASTCODE                16383  0x3fff_ffff         92;
    }
    /// Results of comparisons.
    Comparison {
        IDENT                         201            0          0;
        CONGRUENT                     202            1          1;
        SIMILAR                       203            2          2;
        UNEQUAL                       204            3          3;
    }
    /// Kinds of topologies.
    Topology {
        CART                          211            2          1;
        GRAPH                         212            1          2;
        DIST_GRAPH                    213            3          3;
    }
    /// Levels of thread support.
    Threads {
        THREAD_SINGLE                   0            0          0;
        THREAD_FUNNELED              1024            1          1;
        THREAD_SERIALIZED            2048            2          2;
        THREAD_MULTIPLE              4096            3          3;
    }
    /// Kinds of splits.
    Split {
        COMM_TYPE_SHARED              221            1          0;
        COMM_TYPE_HW_UNGUIDED         222            3         12;
        COMM_TYPE_HW_GUIDED           223            2         13;
        COMM_TYPE_RESOURCE_GUIDED     224            4        224;
    }
    /// Keys of attributes.
    Keyval {
        KEYVAL_INVALID                  0  0x2400_0000         -1;
        TAG_UB                        501  0x6440_0001          0;
        IO                            502  0x6440_0005          2;
        HOST                          503  0x6440_0003          1;
        WTIME_IS_GLOBAL               504  0x6440_0007          3;
        APPNUM                        505  0x6440_000d          4;
        LASTUSEDCODE                  506  0x6440_000b          5;
        UNIVERSE_SIZE                 507  0x6440_0009          6;
        WIN_BASE                      601  0x6600_0001          7;
        WIN_DISP_UNIT                 602  0x6600_0005          9;
        WIN_SIZE                      603  0x6600_0003          8;
        WIN_CREATE_FLAVOR             604  0x6600_0007         10;
        WIN_MODEL                     605  0x6600_0009         11;
    }
    /// Orders of arrays.
    Order {
        ORDER_C                        12           56          0;
        ORDER_FORTRAN                  15           57          1;
    }
    /// Distributions of arrays.
    Distribution {
        DISTRIBUTE_NONE                16          123          2;
        DISTRIBUTE_BLOCK               17          121          0;
        DISTRIBUTE_CYCLIC              18          122          1;
    }
    /// Arguments of distributions.
    Argument {
        DISTRIBUTE_DFLT_DARG           19       -49767         -1;
    }
    /// Combiners of datatypes.
    Combiner {
        COMBINER_NAMED                101            1          0;
        COMBINER_DUP                  102            2          1;
        COMBINER_CONTIGUOUS           103            3          2;
        COMBINER_VECTOR               104            4          3;
        COMBINER_HVECTOR              105            6          5;
        COMBINER_INDEXED              106            7          6;
        COMBINER_HINDEXED             107            9          8;
        COMBINER_INDEXED_BLOCK        108           10          9;
        COMBINER_HINDEXED_BLOCK       109           19         18;
        COMBINER_STRUCT               110           12         11;
        COMBINER_SUBARRAY             111           13         12;
        COMBINER_DARRAY               112           14         13;
        COMBINER_F90_REAL             113           15         14;
        COMBINER_F90_COMPLEX          114           16         15;
        COMBINER_F90_INTEGER          115           17         16;
        COMBINER_RESIZED              116           18         17;
        COMBINER_VALUE_INDEX          117           20          0;
    }
    /// Classes of datatypes.
    Typeclass {
        TYPECLASS_INTEGER             192            2          1;
        TYPECLASS_REAL                193            1          2;
        TYPECLASS_COMPLEX             194            3          3;
    }
    /// Kinds of locks of windows.
    Lock {
        LOCK_EXCLUSIVE                301          234          1;
        LOCK_SHARED                   302          235          2;
    }
    /// Flavors of windows.
    Flavor {
        WIN_FLAVOR_CREATE             311            1          1;
        WIN_FLAVOR_ALLOCATE           312            2          2;
        WIN_FLAVOR_DYNAMIC            313            3          3;
        WIN_FLAVOR_SHARED             314            4          4;
    }
    /// Memory models of windows.
    Model {
        WIN_UNIFIED                   321            2          0;
        WIN_SEPARATE                  322            1          1;
    }
    /// Positions in files.
    Seek {
        SEEK_CUR                      401          602        602;
        SEEK_END                      402          604        604;
        SEEK_SET                      403          600        600;
    }
    /// Displacements of views.
    View {
        DISPLACEMENT_CURRENT           -1    -54278278  -54278278;
    }
    /// Modes of files; they are added.
    FileMode {
        MODE_APPEND                     1          128        128;
        MODE_CREATE                     2            1          1;
        MODE_DELETE_ON_CLOSE            4           16         16;
        MODE_EXCL                       8           64         64;
        MODE_RDONLY                    16            2          2;
        MODE_RDWR                      32            8          8;
        MODE_SEQUENTIAL                64          256        256;
        MODE_UNIQUE_OPEN              128           32         32;
        MODE_WRONLY                   256            4          4;
    }
    /// Assertions on windows; they are added.
    Assertion {
        MODE_NOCHECK                 1024         1024          1;
        MODE_NOPRECEDE               2048         8192          2;
        MODE_NOPUT                   4096         4096          4;
        MODE_NOSTORE                 8192         2048          8;
        MODE_NOSUCCEED              16384        16384         16;
    }
}

macro_rules! other_integers {
    ($(#[doc = $title:literal] { $($name:ident $value:literal;)* })*) => {
        $($(
            #[doc = concat!("`MPI_", stringify!($name), "`.")]
            pub const $name: c_int = $value;
        )*)*

        /// Integers that no call gets or returns.
        pub const OTHER_INTEGERS: &[Group] = &[
            $(Group { title: $title, constants: &[$((stringify!($name), $value)),*] },)*
        ];
    };
}

other_integers! {
    /// Versions.
    {
        VERSION 5;
        SUBVERSION 0;
        ABI_VERSION 1;
        ABI_SUBVERSION 0;
    }
    /// Statuses in Fortran.
    {
        F_STATUS_SIZE 8;
        F_SOURCE 0;
        F_TAG 1;
        F_ERROR 2;
    }
    /// Tools: verbosity.
    {
        T_VERBOSITY_USER_BASIC 0x09;
        T_VERBOSITY_USER_DETAIL 0x0a;
        T_VERBOSITY_USER_ALL 0x0c;
        T_VERBOSITY_TUNER_BASIC 0x11;
        T_VERBOSITY_TUNER_DETAIL 0x12;
        T_VERBOSITY_TUNER_ALL 0x14;
        T_VERBOSITY_MPIDEV_BASIC 0x21;
        T_VERBOSITY_MPIDEV_DETAIL 0x22;
        T_VERBOSITY_MPIDEV_ALL 0x24;
    }
    /// Tools: kinds of objects.
    {
        T_BIND_NO_OBJECT 1;
        T_BIND_MPI_COMM 2;
        T_BIND_MPI_DATATYPE 3;
        T_BIND_MPI_ERRHANDLER 4;
        T_BIND_MPI_FILE 5;
        T_BIND_MPI_GROUP 6;
        T_BIND_MPI_OP 7;
        T_BIND_MPI_REQUEST 8;
        T_BIND_MPI_WIN 9;
        T_BIND_MPI_MESSAGE 10;
        T_BIND_MPI_INFO 11;
        T_BIND_MPI_SESSION 12;
    }
    /// Tools: scopes of variables.
    {
        T_SCOPE_CONSTANT 1;
        T_SCOPE_READONLY 2;
        T_SCOPE_LOCAL 3;
        T_SCOPE_GROUP 4;
        T_SCOPE_GROUP_EQ 5;
        T_SCOPE_ALL 6;
        T_SCOPE_ALL_EQ 7;
    }
    /// Tools: classes of variables.
    {
        T_PVAR_CLASS_STATE 1;
        T_PVAR_CLASS_LEVEL 2;
        T_PVAR_CLASS_SIZE 3;
        T_PVAR_CLASS_PERCENTAGE 4;
        T_PVAR_CLASS_HIGHWATERMARK 5;
        T_PVAR_CLASS_LOWWATERMARK 6;
        T_PVAR_CLASS_COUNTER 7;
        T_PVAR_CLASS_AGGREGATE 8;
        T_PVAR_CLASS_TIMER 9;
        T_PVAR_CLASS_GENERIC 10;
    }
    /// Tools: MPI_T_cb_safety.
    {
        T_CB_REQUIRE_NONE 0x00;
        T_CB_REQUIRE_MPI_RESTRICTED 0x03;
        T_CB_REQUIRE_THREAD_SAFE 0x0f;
        T_CB_REQUIRE_ASYNC_SIGNAL_SAFE 0x3f;
    }
    /// Tools: MPI_T_source_order.
    {
        T_SOURCE_ORDERED 1;
        T_SOURCE_UNORDERED 2;
    }
}

macro_rules! limits {
    ($($(#[$doc:meta])* $limit:ident $name:ident $standard:literal $mpich:literal $open_mpi:literal;)*) => {
        /// Numbers of bytes that a program relies on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Limit {
            $($(#[$doc])* $limit,)*
        }

        impl Limit {
            /// The number in an interface.
            pub const fn bytes(self, interface: Interface) -> usize {
                match (self, interface) {
                    $(
                        (Limit::$limit, Interface::Standard) => $standard,
                        (Limit::$limit, Interface::Mpich) => $mpich,
                        (Limit::$limit, Interface::OpenMpi) => $open_mpi,
                    )*
                }
            }
        }

        /// All limits.
        pub const LIMITS: Group =
            Group { title: " Numbers of bytes.", constants: &[$((stringify!($name), $standard)),*] };
    };
}

limits! {
    /// The name of a processor, with the 0 at its end, as in all texts.
    ProcessorName  MAX_PROCESSOR_NAME          256  128  256;
    /// The text of an error.
    ErrorText      MAX_ERROR_STRING            512  512  256;
    /// The name of an object.
    ObjectName     MAX_OBJECT_NAME             128  128   64;
    /// The version of the library.
    LibraryVersion MAX_LIBRARY_VERSION_STRING 8192 8192  256;
    /// A key of an info object.
    InfoKey        MAX_INFO_KEY                256  255   36;
    /// A value of an info object.
    InfoValue      MAX_INFO_VAL               1024 1024  256;
    /// The name of a port.
    PortName       MAX_PORT_NAME              1024  256 1024;
    /// The name of a representation of data.
    Representation MAX_DATAREP_STRING          128  128  128;
    /// A tag for the creation of a communicator from a group.
    StringTag      MAX_STRINGTAG_LEN          1024  256 1024;
    /// The name of a set of processes.
    ProcessSet     MAX_PSET_NAME_LEN          1024  256  512;
    /// What a buffered message takes besides its data.
    BufferedSend   BSEND_OVERHEAD              512   96  128;
}

macro_rules! addresses {
    ($(#[doc = $title:literal] $kind:ident {
        $($name:ident $type:literal $standard:literal $mpich:literal $open_mpi:literal;)*
    })*) => {
        /// The kinds of addresses of which some are constants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum AddressKind {
            $(#[doc = $title] $kind,)*
        }

        $($(
            #[doc = concat!("`MPI_", stringify!($name), "`.")]
            pub const $name: usize = $standard;
        )*)*

        /// Pairs of addresses: of the standard, and of an interface.
        pub const fn addresses(interface: Interface, kind: AddressKind) -> &'static [(usize, isize)] {
            match (interface, kind) {
                (Interface::Standard, _) => &[],
                $(
                    (Interface::Mpich, AddressKind::$kind) => &[$(($standard, $mpich)),*],
                    (Interface::OpenMpi, AddressKind::$kind) => &[$(($standard, $open_mpi)),*],
                )*
            }
        }

        /// All addresses: their titles, names, types and values of the standard.
        pub const ADDRESSES: &[(&str, &[(&str, &str, usize)])] =
            &[$(($title, &[$((stringify!($name), $type, $standard)),*])),*];
    };
}

addresses! {
    /// Buffers.
    Buffer {
        BOTTOM                "void *"                            0  0  0;
        IN_PLACE              "void *"                            1 -1  1;
        // Open MPI 5 does not have it, so that the value of the standard does no harm.
        BUFFER_AUTOMATIC      "void *"                            2 -2  2;
    }
    /// Weights of neighbors. MPICH's are variables; they have the values of the standard.
    Weights {
        UNWEIGHTED            "int *"                            10 10  2;
        WEIGHTS_EMPTY         "int *"                            11 11  3;
    }
    /// Places that are not wanted.
    Status {
        STATUS_IGNORE         "MPI_Status *"                      0  1  0;
        STATUSES_IGNORE       "MPI_Status *"                      0  1  0;
    }
    /// Arguments and error codes of processes.
    Processes {
        ARGV_NULL             "char **"                           0  0  0;
        ARGVS_NULL            "char ***"                          0  0  0;
        ERRCODES_IGNORE       "int *"                             0  0  0;
    }
    /// Functions. Other interfaces have functions, which are called.
    Function {
        NULL_COPY_FN          "MPI_Copy_function *"               0  0  0;
        DUP_FN                "MPI_Copy_function *"               1  1  1;
        NULL_DELETE_FN        "MPI_Delete_function *"             0  0  0;
        COMM_NULL_COPY_FN     "MPI_Comm_copy_attr_function *"     0  0  0;
        COMM_DUP_FN           "MPI_Comm_copy_attr_function *"     1  1  1;
        COMM_NULL_DELETE_FN   "MPI_Comm_delete_attr_function *"   0  0  0;
        TYPE_NULL_COPY_FN     "MPI_Type_copy_attr_function *"     0  0  0;
        TYPE_DUP_FN           "MPI_Type_copy_attr_function *"     1  1  1;
        TYPE_NULL_DELETE_FN   "MPI_Type_delete_attr_function *"   0  0  0;
        WIN_NULL_COPY_FN      "MPI_Win_copy_attr_function *"      0  0  0;
        WIN_DUP_FN            "MPI_Win_copy_attr_function *"      1  1  1;
        WIN_NULL_DELETE_FN    "MPI_Win_delete_attr_function *"    0  0  0;
        CONVERSION_FN_NULL    "MPI_Datarep_conversion_function *" 0  0  0;
        CONVERSION_FN_NULL_C  "MPI_Datarep_conversion_function_c *" 0 0 0;
    }
    /// Tools: handles.
    Tool {
        T_ENUM_NULL           "MPI_T_enum"                        0  0  0;
        T_CVAR_HANDLE_NULL    "MPI_T_cvar_handle"                 0  0  0;
        T_PVAR_SESSION_NULL   "MPI_T_pvar_session"                0  0  0;
        T_PVAR_HANDLE_NULL    "MPI_T_pvar_handle"                 0  0  0;
        T_PVAR_ALL_HANDLES    "MPI_T_pvar_handle"                 1  1 -1;
    }
}

/// The kinds of handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum HandleKind {
    Comm = 1,
    Group,
    Datatype,
    Op,
    Request,
    Errhandler,
    Info,
    Message,
    Session,
    Win,
    File,
}

/// A handle that is a constant.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    /// Its name, with `_` before a digit.
    pub name: &'static str,
    /// What it is.
    pub kind: HandleKind,
    /// The value of the standard.
    pub standard: usize,
    /// MPICH's value.
    pub mpich: Option<usize>,
}

/// Handles from here on are not of the standard.
pub const BEYOND_THE_STANDARD: usize = 0x400;

macro_rules! given {
    (_) => {
        None
    };
    ($value:literal) => {
        Some($value)
    };
}

macro_rules! handle_constants {
    ($($kind:ident $name:ident $standard:literal $mpich:tt $open_mpi:tt;)*) => {
        $(
            #[doc = concat!("`MPI_", stringify!($name), "`.")]
            pub const $name: usize = $standard;
        )*

        /// All handles that are constants.
        pub const HANDLES: &[Handle] = &[$(Handle {
            name: stringify!($name),
            kind: HandleKind::$kind,
            standard: $standard,
            mpich: given!($mpich),
        }),*];
    };
}

crate::predefined_handles!(handle_constants, ());

/// Passes all handles that are constants to a macro, after the tokens in parentheses. Open MPI's are addresses of
/// variables with these names.
#[macro_export]
macro_rules! predefined_handles {
    ($then:path, ($($context:tt)*)) => { $then! { $($context)*

    Op         OP_NULL                 0x020 0x1800_0000 ompi_mpi_op_null;
    Op         SUM                     0x021 0x5800_0003 ompi_mpi_op_sum;
    Op         MIN                     0x022 0x5800_0002 ompi_mpi_op_min;
    Op         MAX                     0x023 0x5800_0001 ompi_mpi_op_max;
    Op         PROD                    0x024 0x5800_0004 ompi_mpi_op_prod;
    Op         BAND                    0x028 0x5800_0006 ompi_mpi_op_band;
    Op         BOR                     0x029 0x5800_0008 ompi_mpi_op_bor;
    Op         BXOR                    0x02a 0x5800_000a ompi_mpi_op_bxor;
    Op         LAND                    0x030 0x5800_0005 ompi_mpi_op_land;
    Op         LOR                     0x031 0x5800_0007 ompi_mpi_op_lor;
    Op         LXOR                    0x032 0x5800_0009 ompi_mpi_op_lxor;
    Op         MINLOC                  0x038 0x5800_000b ompi_mpi_op_minloc;
    Op         MAXLOC                  0x039 0x5800_000c ompi_mpi_op_maxloc;
    Op         REPLACE                 0x03c 0x5800_000d ompi_mpi_op_replace;
    Op         NO_OP                   0x03d 0x5800_000e ompi_mpi_op_no_op;
    Comm       COMM_NULL               0x100 0x0400_0000 ompi_mpi_comm_null;
    Comm       COMM_WORLD              0x101 0x4400_0000 ompi_mpi_comm_world;
    Comm       COMM_SELF               0x102 0x4400_0001 ompi_mpi_comm_self;
    Group      GROUP_NULL              0x108 0x0800_0000 ompi_mpi_group_null;
    Group      GROUP_EMPTY             0x109 0x4800_0000 ompi_mpi_group_empty;
    Win        WIN_NULL                0x110 0x2000_0000 ompi_mpi_win_null;
    File       FILE_NULL               0x118 0x0000_0000 ompi_mpi_file_null;
    Session    SESSION_NULL            0x120 0x3800_0000 ompi_mpi_instance_null;
    Message    MESSAGE_NULL            0x128 0x2c00_0000 ompi_message_null;
    Message    MESSAGE_NO_PROC         0x129 0x6c00_0000 ompi_message_no_proc;
    Info       INFO_NULL               0x130 0x1c00_0000 ompi_mpi_info_null;
    Info       INFO_ENV                0x131 0x5c00_0001 ompi_mpi_info_env;
    Errhandler ERRHANDLER_NULL         0x140 0x1400_0000 ompi_mpi_errhandler_null;
    Errhandler ERRORS_ARE_FATAL        0x141 0x5400_0000 ompi_mpi_errors_are_fatal;
    Errhandler ERRORS_ABORT            0x142 0x5400_0003 ompi_mpi_errors_abort;
    Errhandler ERRORS_RETURN           0x143 0x5400_0001 ompi_mpi_errors_return;
    Request    REQUEST_NULL            0x180 0x2c00_0000 ompi_request_null;
    Datatype   DATATYPE_NULL           0x200 0x0c00_0000 ompi_mpi_datatype_null;
    Datatype   AINT                    0x201 0x4c00_0843 ompi_mpi_aint;
    Datatype   COUNT                   0x202 0x4c00_0845 ompi_mpi_count;
    Datatype   OFFSET                  0x203 0x4c00_0844 ompi_mpi_offset;
    Datatype   PACKED                  0x207 0x4c00_010f ompi_mpi_packed;
    Datatype   SHORT                   0x208 0x4c00_0203 ompi_mpi_short;
    Datatype   INT                     0x209 0x4c00_0405 ompi_mpi_int;
    Datatype   LONG                    0x20a 0x4c00_0807 ompi_mpi_long;
    Datatype   LONG_LONG               0x20b 0x4c00_0809 ompi_mpi_long_long_int;
    Datatype   UNSIGNED_SHORT          0x20c 0x4c00_0204 ompi_mpi_unsigned_short;
    Datatype   UNSIGNED                0x20d 0x4c00_0406 ompi_mpi_unsigned;
    Datatype   UNSIGNED_LONG           0x20e 0x4c00_0808 ompi_mpi_unsigned_long;
    Datatype   UNSIGNED_LONG_LONG      0x20f 0x4c00_0819 ompi_mpi_unsigned_long_long;
    Datatype   FLOAT                   0x210 0x4c00_040a ompi_mpi_float;
    Datatype   C_FLOAT_COMPLEX         0x212 0x4c00_0840 ompi_mpi_c_float_complex;
    Datatype   CXX_FLOAT_COMPLEX       0x213 0x4c00_0834 ompi_mpi_cxx_cplex;
    Datatype   DOUBLE                  0x214 0x4c00_080b ompi_mpi_double;
    Datatype   C_DOUBLE_COMPLEX        0x216 0x4c00_1041 ompi_mpi_c_double_complex;
    Datatype   CXX_DOUBLE_COMPLEX      0x217 0x4c00_1035 ompi_mpi_cxx_dblcplex;
    Datatype   LOGICAL                 0x218 0x4c00_041d ompi_mpi_logical;
    Datatype   INTEGER                 0x219 0x4c00_041b ompi_mpi_integer;
    Datatype   REAL                    0x21a 0x4c00_041c ompi_mpi_real;
    Datatype   COMPLEX                 0x21b 0x4c00_081e ompi_mpi_cplex;
    Datatype   DOUBLE_PRECISION        0x21c 0x4c00_081f ompi_mpi_dblprec;
    Datatype   DOUBLE_COMPLEX          0x21d 0x4c00_1022 ompi_mpi_dblcplex;
    Datatype   CHARACTER               0x21e 0x4c00_011a ompi_mpi_character;
    Datatype   LONG_DOUBLE             0x220 0x4c00_100c ompi_mpi_long_double;
    Datatype   C_LONG_DOUBLE_COMPLEX   0x224 0x4c00_2042 ompi_mpi_c_long_double_complex;
    Datatype   CXX_LONG_DOUBLE_COMPLEX 0x225 0x4c00_2036 ompi_mpi_cxx_ldblcplex;
    Datatype   FLOAT_INT               0x228 0x8c00_0000 ompi_mpi_float_int;
    Datatype   DOUBLE_INT              0x229 0x8c00_0001 ompi_mpi_double_int;
    Datatype   LONG_INT                0x22a 0x8c00_0002 ompi_mpi_long_int;
    Datatype   _2INT                   0x22b 0x4c00_0816 ompi_mpi_2int;
    Datatype   SHORT_INT               0x22c 0x8c00_0003 ompi_mpi_short_int;
    Datatype   LONG_DOUBLE_INT         0x22d 0x8c00_0004 ompi_mpi_longdbl_int;
    Datatype   _2REAL                  0x230 0x4c00_0821 ompi_mpi_2real;
    Datatype   _2DOUBLE_PRECISION      0x231 0x4c00_1023 ompi_mpi_2dblprec;
    Datatype   _2INTEGER               0x232 0x4c00_0820 ompi_mpi_2integer;
    Datatype   C_BOOL                  0x238 0x4c00_013f ompi_mpi_c_bool;
    Datatype   CXX_BOOL                0x239 0x4c00_0133 ompi_mpi_cxx_bool;
    Datatype   WCHAR                   0x23c 0x4c00_040e ompi_mpi_wchar;
    Datatype   INT8_T                  0x240 0x4c00_0137 ompi_mpi_int8_t;
    Datatype   UINT8_T                 0x241 0x4c00_013b ompi_mpi_uint8_t;
    Datatype   CHAR                    0x243 0x4c00_0101 ompi_mpi_char;
    Datatype   SIGNED_CHAR             0x244 0x4c00_0118 ompi_mpi_signed_char;
    Datatype   UNSIGNED_CHAR           0x245 0x4c00_0102 ompi_mpi_unsigned_char;
    Datatype   BYTE                    0x247 0x4c00_010d ompi_mpi_byte;
    Datatype   INT16_T                 0x248 0x4c00_0238 ompi_mpi_int16_t;
    Datatype   UINT16_T                0x249 0x4c00_023c ompi_mpi_uint16_t;
    Datatype   INT32_T                 0x250 0x4c00_0439 ompi_mpi_int32_t;
    Datatype   UINT32_T                0x251 0x4c00_043d ompi_mpi_uint32_t;
    Datatype   INT64_T                 0x258 0x4c00_083a ompi_mpi_int64_t;
    Datatype   UINT64_T                0x259 0x4c00_083e ompi_mpi_uint64_t;
    Datatype   LOGICAL1                0x2c0 0x4c00_0147 ompi_mpi_logical1;
    Datatype   INTEGER1                0x2c1 0x4c00_012d ompi_mpi_integer1;
    Datatype   LOGICAL2                0x2c8 0x4c00_0248 ompi_mpi_logical2;
    Datatype   INTEGER2                0x2c9 0x4c00_022f ompi_mpi_integer2;
    Datatype   REAL2                   0x2ca 0x4c00_0226 ompi_mpi_real2;
    Datatype   LOGICAL4                0x2d0 0x4c00_0449 ompi_mpi_logical4;
    Datatype   INTEGER4                0x2d1 0x4c00_0430 ompi_mpi_integer4;
    Datatype   REAL4                   0x2d2 0x4c00_0427 ompi_mpi_real4;
    Datatype   COMPLEX4                0x2d3 0x4c00_042e _;
    Datatype   LOGICAL8                0x2d8 0x4c00_084a ompi_mpi_logical8;
    Datatype   INTEGER8                0x2d9 0x4c00_0831 ompi_mpi_integer8;
    Datatype   REAL8                   0x2da 0x4c00_0829 ompi_mpi_real8;
    Datatype   COMPLEX8                0x2db 0x4c00_0828 ompi_mpi_complex8;
    Datatype   LOGICAL16               0x2e0 0x4c00_104b _;
    Datatype   INTEGER16               0x2e1 0x4c00_1032 ompi_mpi_integer16;
    Datatype   REAL16                  0x2e2 0x4c00_102b ompi_mpi_real16;
    Datatype   COMPLEX16               0x2e3 0x4c00_102a ompi_mpi_complex16;
    Datatype   COMPLEX32               0x2eb 0x4c00_202c ompi_mpi_complex32;

    // Of earlier versions of the standard, and of Open MPI alone.
    Datatype   LB                      0x400 0x4c00_0010 ompi_mpi_lb;
    Datatype   UB                      0x401 0x4c00_0011 ompi_mpi_ub;
    Datatype   _2COMPLEX               0x402 _           ompi_mpi_2cplex;
    Datatype   _2DOUBLE_COMPLEX        0x403 _           ompi_mpi_2dblcplex;
    } };
}
